/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The picture: grouped bars, one group a workload and one bar a policy, and a
 * panel for each worker count. gnuplot draws it and reads its script from us.
 */
#include "compare.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define PLOT_BAR_WIDTH	  24
#define PLOT_LEAST_WIDTH  760
#define PLOT_PANEL_HEIGHT 330
#define PLOT_TITLE_HEIGHT 90
#define PLOT_NUMBER_SIZE  8
/* Far below every axis. Without a number gnuplot would not draw the rest. */
#define PLOT_NOTHING " 1e-9 1e-9 1e-9"

/* Eight colours that stay apart also for the colour-blind (Paul Tol's). */
static const char *const plot_colours[] = {
	"#4477aa", "#ee6677", "#228833", "#ccbb44",
	"#66ccee", "#aa3377", "#bbbbbb", "#444444",
};

#define PLOT_COLOURS (sizeof(plot_colours) / sizeof(plot_colours[0]))

static bool plot_has_suffix(const char *path, const char *suffix)
{
	size_t length = strlen(path), tail = strlen(suffix);

	return length > tail && strcmp(path + length - tail, suffix) == 0;
}

static bool plot_find_gnuplot(void)
{
	const char *rest = getenv("PATH");
	char path[4096];

	while (rest != NULL && *rest != '\0') {
		size_t length = strcspn(rest, ":");

		snprintf(path, sizeof(path), "%.*s/gnuplot", (int)length, rest);
		if (access(path, X_OK) == 0)
			return true;
		rest += length + (rest[length] == ':');
	}
	return false;
}

int compare_plot_check(const char *path)
{
	if (!plot_has_suffix(path, ".svg") && !plot_has_suffix(path, ".png"))
		return compare_error(COMPARE_USAGE,
				     "--plot %s: the name must end in .svg or "
				     ".png",
				     path);
	if (!plot_find_gnuplot())
		return compare_error(COMPARE_USAGE,
				     "--plot needs gnuplot, which is not here; "
				     "on Debian: apt-get install gnuplot-nox");
	return compare_export_check("--plot", path);
}

/* As gnuplot wants a string between single quotes. */
static void plot_string(FILE *out, const char *text)
{
	fputc('\'', out);
	for (; *text != '\0'; text++)
		fprintf(out, *text == '\'' ? "'%c" : "%c", *text);
	fputc('\'', out);
}

static bool plot_has_cell(const struct compare_cell *cell)
{
	return cell->runs > 0 && cell->problem[0] == '\0';
}

static bool plot_has_any(const struct compare *compare)
{
	for (size_t i = 0; i < compare->row_count; i++)
		for (size_t j = 0; j < compare_cell_count(compare); j++)
			if (plot_has_cell(&compare->rows[i].cells[j]))
				return true;
	return false;
}

/* The powers of ten around all that is drawn, the numbers above included. */
static void plot_range(const struct compare *compare, FILE *out)
{
	double low = INFINITY, high = 0;

	for (size_t i = 0; i < compare->row_count; i++)
		for (size_t j = 0; j < compare_cell_count(compare); j++) {
			const struct compare_cell *cell =
				&compare->rows[i].cells[j];
			double operations = (double)cell->operations;
			struct compare_spread wall;

			if (!plot_has_cell(cell))
				continue;
			wall = compare_spread_of(cell->wall, cell->runs);
			low = fmin(low, wall.low / operations);
			high = fmax(high, wall.high / operations);
		}
	/* 10, 100, 1k, 10k; but below 1 that would read as milli. */
	fprintf(out, "set format y '%s'\n", low < 1.5 ? "%g" : "%.0s%c");
	fprintf(out, "set yrange [%g:%g]\n", pow(10, floor(log10(low / 1.5))),
		pow(10, ceil(log10(high * 6))));
}

/* A line for each workload: its name, then median, low and high a policy. */
static void plot_data(const struct compare *compare, size_t workers, FILE *out)
{
	fprintf(out, "$panel%zu << EOD\n", workers);
	for (size_t i = 0; i < compare->row_count; i++) {
		const struct compare_row *row = &compare->rows[i];

		fprintf(out, "\"%s\\n%s\"", row->workload->name,
			row->workload->unit);
		for (size_t j = 0; j < compare->policy_count; j++) {
			const struct compare_cell *cell =
				compare_cell_at(compare, row, workers, j);
			double operations = (double)cell->operations;
			struct compare_spread wall;

			if (!plot_has_cell(cell)) {
				fputs(PLOT_NOTHING, out);
				continue;
			}
			wall = compare_spread_of(cell->wall, cell->runs);
			fprintf(out, " %g %g %g", wall.median / operations,
				wall.low / operations, wall.high / operations);
		}
		fputc('\n', out);
	}
	fputs("EOD\n", out);
}

static void plot_canvas(const struct compare *compare, FILE *out)
{
	size_t group = PLOT_BAR_WIDTH * (compare->policy_count + 1);
	size_t width = 160 + group * compare->row_count;
	size_t height =
		PLOT_TITLE_HEIGHT + PLOT_PANEL_HEIGHT * compare->worker_count;
	bool svg = plot_has_suffix(compare->plot, ".svg");

	if (width < PLOT_LEAST_WIDTH)
		width = PLOT_LEAST_WIDTH;
	fprintf(out,
		"set terminal %s noenhanced size %zu,%zu background 'white' "
		"font 'sans,%d'\n"
		"set output ",
		svg ? "svg" : "pngcairo", width, height, svg ? 13 : 11);
	plot_string(out, compare->plot);
	fputc('\n', out);
}

static void plot_style(const struct compare *compare, FILE *out)
{
	fputs("set style data histograms\n"
	      "set style histogram errorbars gap 1 lw 1\n"
	      "set style fill solid 0.9 border lc rgb '#555555'\n"
	      "set bars 0.4\n"
	      "set logscale y\n"
	      "set ylabel 'ns per operation'\n"
	      "set grid ytics lt 1 lc rgb '#dddddd'\n"
	      "set border 3 lc rgb '#666666'\n"
	      "set tics nomirror out scale 0.5 textcolor rgb '#222222'\n"
	      "set xtics scale 0\n"
	      "set lmargin 11\nset rmargin 3\nset bmargin 3.5\n",
	      out);
	plot_range(compare, out);
}

/* The median in figures, upright above its bar: a logarithmic axis shows which
 * is less, not by how much. */
static void plot_numbers(const struct compare *compare, size_t workers,
			 size_t policy, FILE *out)
{
	/* A group is 1 wide: its bars and a gap as wide as one. */
	double bar = 1.0 / (double)(compare->policy_count + 1);
	double first = -0.5 * (double)(compare->policy_count - 1);

	fprintf(out,
		", $panel%zu using ($0 + %g):(column(%zu)):"
		"(sprintf(column(%zu) < 9.995 ? '%%.2f' : "
		"column(%zu) < 99.95 ? '%%.1f' : '%%.0f', column(%zu))) "
		"with labels rotate left offset 0,0.5 font ',%d' "
		"textcolor rgb '#444444' notitle",
		workers, (first + (double)policy) * bar, 4 + 3 * policy,
		2 + 3 * policy, 2 + 3 * policy, 2 + 3 * policy,
		PLOT_NUMBER_SIZE);
}

static void plot_panel(const struct compare *compare, size_t workers, FILE *out)
{
	fprintf(out, "set title '%" PRIu32 " worker%s' offset 0,-0.5\n",
		compare->workers[workers],
		compare->workers[workers] == 1 ? "" : "s");
	fputs(workers == 0 ? "set key outside top center horizontal "
			     "samplen 1.5 height 0.5\n"
			   : "unset key\n",
	      out);
	fputs("plot ", out);
	for (size_t i = 0; i < compare->policy_count; i++) {
		fprintf(out,
			"%s$panel%zu using %zu:%zu:%zu:xtic(1) lc rgb '%s' "
			"title ",
			i > 0 ? ", " : "", workers, 2 + 3 * i, 3 + 3 * i,
			4 + 3 * i, plot_colours[i % PLOT_COLOURS]);
		plot_string(out, compare->policies[i].label);
	}
	for (size_t i = 0; i < compare->policy_count; i++)
		plot_numbers(compare, workers, i, out);
	fputc('\n', out);
}

static void plot_script(const struct compare *compare, FILE *out)
{
	plot_canvas(compare, out);
	for (size_t i = 0; i < compare->worker_count; i++)
		plot_data(compare, i, out);
	plot_style(compare, out);
	fprintf(out,
		"set multiplot layout %zu,1 title 'The same programs under "
		"each policy: median of %" PRIu32 " run%s, lines from "
		"fastest to slowest; less is better'\n",
		compare->worker_count, compare->runs,
		compare->runs == 1 ? "" : "s");
	for (size_t i = 0; i < compare->worker_count; i++)
		plot_panel(compare, i, out);
	fputs("unset multiplot\nunset output\n", out);
}

int compare_plot_write(const struct compare *compare)
{
	FILE *gnuplot;
	int status;

	if (!plot_has_any(compare))
		return COMPARE_OK;
	/* A gnuplot that ends early shows in its status. */
	signal(SIGPIPE, SIG_IGN);
	gnuplot = popen("exec gnuplot", "we");
	if (gnuplot == NULL)
		return compare_error(COMPARE_FAILED, "gnuplot: %s",
				     strerror(errno));
	plot_script(compare, gnuplot);
	status = pclose(gnuplot);
	if (status == -1 || !WIFEXITED(status) || WEXITSTATUS(status) != 0)
		return compare_error(COMPARE_FAILED,
				     "gnuplot could not draw %s",
				     compare->plot);
	return COMPARE_OK;
}
