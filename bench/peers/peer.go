// SPDX-License-Identifier: BSD-3-Clause
// Go: goroutines, and channels as mailboxes. See peer.hpp for the arguments.
package main

import (
	"fmt"
	"os"
	"runtime"
	"runtime/debug"
	"sort"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"time"
)

type trial struct {
	workers int
	scale   float64
}

type workload struct {
	name string
	run  func(t trial) float64
	warm bool
}

func (t trial) size(base, minimum int) int {
	n := int(float64(base) * t.scale)
	if n < minimum {
		return minimum
	}
	return n
}

func verify(got, expected int) {
	if got != expected {
		panic(fmt.Sprintf("wrong result: %d, not %d", got, expected))
	}
}

func since(start time.Time) float64 {
	return float64(time.Since(start).Nanoseconds())
}

// ---- talking ---------------------------------------------------------------

func pairs(t trial, count, base int) float64 {
	rounds := t.size(base, 1)
	var all sync.WaitGroup
	start := time.Now()
	for p := 0; p < count; p++ {
		there, back := make(chan int), make(chan int)
		all.Add(2)
		go func() {
			for i := 0; i < rounds; i++ {
				there <- i
				verify(<-back, i)
			}
			all.Done()
		}()
		go func() {
			for i := 0; i < rounds; i++ {
				back <- <-there
			}
			all.Done()
		}()
	}
	all.Wait()
	return since(start) / float64(2*count*rounds)
}

func pingPong(t trial) float64 { return pairs(t, 1, 500000) }

func pingPong32(t trial) float64 { return pairs(t, 32, 16000) }

// A request carries the channel for its answer.
type question struct {
	round  int
	answer chan int
}

func request(t trial) float64 {
	rounds := t.size(500000, 1)
	mailbox := make(chan question, 16)
	end := make(chan int)
	start := time.Now()
	go func() {
		for q := range mailbox {
			q.answer <- q.round
		}
	}()
	go func() {
		for i := 0; i < rounds; i++ {
			answer := make(chan int, 1)
			mailbox <- question{i, answer}
			verify(<-answer, i)
		}
		close(mailbox)
		end <- 1
	}()
	<-end
	return since(start) / float64(rounds)
}

func ring(t trial) float64 {
	hops := t.size(1000000, 503)
	nodes := make([]chan int, 503)
	end := make(chan int)
	start := time.Now()
	for i := range nodes {
		nodes[i] = make(chan int, 1)
	}
	for i := range nodes {
		go func(in, out chan int) {
			for left := range in {
				if left == 0 {
					end <- 1
				} else {
					out <- left - 1
				}
			}
		}(nodes[i], nodes[(i+1)%len(nodes)])
	}
	nodes[0] <- hops
	<-end
	time := since(start)
	for _, node := range nodes {
		close(node)
	}
	return time / float64(hops)
}

func fanIn(t trial, producers, base int) float64 {
	items := t.size(base, 1)
	mailbox := make(chan [2]uint32, 8192)
	end := make(chan int)
	start := time.Now()
	go func() {
		for i := 0; i < producers*items; i++ {
			<-mailbox
		}
		end <- 1
	}()
	for p := 0; p < producers; p++ {
		go func(p int) {
			for i := 0; i < items; i++ {
				mailbox <- [2]uint32{uint32(p), uint32(i)}
			}
		}(p)
	}
	<-end
	return since(start) / float64(producers*items)
}

func counting(t trial) float64 { return fanIn(t, 1, 2000000) }

func fanInHeld(t trial) float64 { return fanIn(t, 16, 100000) }

type bigMessage struct{ from int } // -1: a pong

func big(t trial) float64 {
	const count = 128
	pings := t.size(5000, 1)
	mailboxes := make([]chan bigMessage, count)
	for i := range mailboxes {
		mailboxes[i] = make(chan bigMessage, 2*count)
	}
	end := make(chan int)
	start := time.Now()
	for i := 0; i < count; i++ {
		go func(me int) {
			seed := uint64(me)*2654435761 + 1
			ping := func() {
				seed = seed*6364136223846793005 + 1442695040888963407
				mailboxes[(seed>>33)%count] <- bigMessage{me}
			}
			pongs := 0
			ping()
			for m := range mailboxes[me] {
				if m.from >= 0 {
					mailboxes[m.from] <- bigMessage{-1}
				} else if pongs++; pongs < pings {
					ping()
				} else {
					end <- 1
				}
			}
		}(i)
	}
	for i := 0; i < count; i++ {
		<-end
	}
	time := since(start)
	for _, mailbox := range mailboxes {
		close(mailbox)
	}
	return time / float64(count*pings)
}

type visitor struct {
	kind, colour int
	from         chan visitor
}

const (
	meet = iota + 1
	change
	leave
)

func creature(colour int, mall chan visitor, end chan int) {
	me := make(chan visitor, 4)
	mall <- visitor{0, colour, me}
	meetings := 0
	for m := range me {
		switch m.kind {
		case meet:
			if colour != m.colour {
				colour = 3 - colour - m.colour
			}
			m.from <- visitor{change, colour, nil}
		case change:
			colour = m.colour
		case leave:
			end <- meetings
			return
		}
		meetings++
		mall <- visitor{0, colour, me}
	}
}

func chameneos(t trial) float64 {
	const creatures = 100
	meetings := t.size(300000, 1)
	mall := make(chan visitor, creatures)
	end := make(chan int)
	start := time.Now()
	for i := 0; i < creatures; i++ {
		go creature(i%3, mall, end)
	}
	go func() {
		var waiting chan visitor
		left, gone := meetings, 0
		for m := range mall {
			if left == 0 {
				m.from <- visitor{leave, 0, nil}
				if gone++; gone == creatures {
					return
				}
			} else if waiting == nil {
				waiting = m.from
			} else {
				left--
				waiting <- visitor{meet, m.colour, m.from}
				waiting = nil
			}
		}
	}()
	sum := 0
	for i := 0; i < creatures; i++ {
		sum += <-end
	}
	verify(sum, 2*meetings)
	return since(start) / float64(meetings)
}

// ---- coming and going ------------------------------------------------------

// In waves of 4 * 256, as ours.
func spawn(t trial) float64 {
	const size, waves = 256, 4
	count := t.size(300000, 1)
	left, busy := count, 0
	var alive [waves]int32
	ended := make(chan int, waves)
	wave := func(index int) bool {
		n := left
		if n > size {
			n = size
		}
		left -= n
		alive[index] = int32(n)
		for i := 0; i < n; i++ {
			mailbox := make(chan int, 1)
			go func() {
				<-mailbox
				if atomic.AddInt32(&alive[index], -1) == 0 {
					ended <- index
				}
			}()
			mailbox <- i
		}
		return n > 0
	}
	start := time.Now()
	for i := 0; i < waves; i++ {
		if wave(i) {
			busy++
		}
	}
	for busy > 0 {
		if !wave(<-ended) {
			busy--
		}
	}
	return since(start) / float64(count)
}

func branch(above chan int, first, count int) {
	if count == 1 {
		above <- first
		return
	}
	width := count
	if width > 10 {
		width = 10
	}
	sums := make(chan int, width)
	for i := 0; i < width; i++ {
		begin, end := count*i/width, count*(i+1)/width
		go branch(sums, first+begin, end-begin)
	}
	sum := 0
	for i := 0; i < width; i++ {
		sum += <-sums
	}
	above <- sum
}

func treeActors(count int) int {
	if count <= 1 {
		return 1
	}
	width := count
	if width > 10 {
		width = 10
	}
	n := 1 + (width-count%width)*treeActors(count/width)
	if count%width > 0 {
		n += count % width * treeActors(count/width+1)
	}
	return n
}

func tree(t trial) float64 {
	count := t.size(1000000, 2)
	result := make(chan int)
	start := time.Now()
	go branch(result, 0, count)
	verify(<-result, count*(count-1)/2)
	return since(start) / float64(treeActors(count))
}

// ---- fork and join ---------------------------------------------------------

func fibOf(n int) int {
	if n < 2 {
		return n
	}
	other := make(chan int, 1)
	go func() { other <- fibOf(n - 1) }()
	sum := fibOf(n - 2)
	return sum + <-other
}

func fibCalls(n int) int {
	a, b := 1, 1
	for ; n > 1; n-- {
		a, b = b, a+b+1
	}
	return b
}

func fib(t trial) float64 {
	n := 1
	for fibCalls(n+1) <= t.size(2692537, 1) {
		n++
	}
	start := time.Now()
	fibOf(n)
	return since(start) / float64(fibCalls(n))
}

func queensOf(all, columns, left, right uint32) int {
	if columns == all {
		return 1
	}
	sums := make(chan int, 16)
	count, sum := 0, 0
	for open := all &^ (columns | left | right); open != 0; count++ {
		column := open & -open
		open ^= column
		go func() {
			sums <- queensOf(all, columns|column, (left|column)<<1,
				(right|column)>>1)
		}()
	}
	for ; count > 0; count-- {
		sum += <-sums
	}
	return sum
}

var boards = [][2]int{{1, 1}, {1, 2}, {0, 3}, {0, 6}, {2, 17}, {10, 54},
	{4, 153}, {40, 552}, {92, 2057}, {352, 8394}, {724, 35539},
	{2680, 166926}}

func queens(t trial) float64 {
	n := 11
	for n > 1 && boards[n][1] > t.size(166926, 1) {
		n--
	}
	start := time.Now()
	verify(queensOf(1<<n-1, 0, 0, 0), boards[n][0])
	return since(start) / float64(boards[n][1])
}

func jobsInside(t trial) float64 {
	count := t.size(10000000, 1000) / 1000 * 1000
	var all sync.WaitGroup
	start := time.Now()
	for i := 0; i < count; i += 1000 {
		all.Add(1000)
		for j := 0; j < 1000; j++ {
			go all.Done()
		}
		all.Wait()
	}
	return since(start) / float64(count)
}

// From a thread that runs nothing else.
func jobsOutside(t trial) float64 {
	count := int64(t.size(10000000, 1))
	var ran int64
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	start := time.Now()
	for i := int64(0); i < count; i++ {
		for i%1000 == 0 && i-atomic.LoadInt64(&ran) > 65536 {
			runtime.Gosched()
		}
		go atomic.AddInt64(&ran, 1)
	}
	for atomic.LoadInt64(&ran) < count {
		runtime.Gosched()
	}
	return since(start) / float64(count)
}

// ---- doing little ----------------------------------------------------------

func resident() float64 {
	text, _ := os.ReadFile("/proc/self/statm")
	pages, _ := strconv.Atoi(strings.Fields(string(text))[1])
	return float64(pages * os.Getpagesize())
}

func memory(t trial) float64 {
	count := t.size(1000000, 1000)
	all := make([]chan int, count)
	for i := range all {
		all[i] = nil
	}
	debug.FreeOSMemory()
	before := resident()
	for i := range all {
		mailbox := make(chan int, 1)
		all[i] = mailbox
		go func() {
			for range mailbox {
			}
		}()
		mailbox <- 1
	}
	time.Sleep(500 * time.Millisecond)
	result := (resident() - before) / float64(count)
	runtime.KeepAlive(all)
	return result
}

func spent() float64 {
	var u syscall.Rusage
	syscall.Getrusage(0, &u)
	return float64(u.Utime.Nano()+u.Stime.Nano()) / 1e6
}

func idle(t trial) float64 {
	seconds := 5.0
	if t.scale < 1 {
		seconds *= t.scale
	}
	time.Sleep(300 * time.Millisecond)
	before := spent()
	time.Sleep(time.Duration(seconds * 1e9))
	return (spent() - before) * 5 / seconds
}

func wake(t trial) float64 {
	mailbox, answer := make(chan time.Time), make(chan float64, 1)
	times := make([]float64, t.size(500, 20))
	random := uint32(1)
	go func() {
		for sent := range mailbox {
			answer <- since(sent)
		}
	}()
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	for i := range times {
		random = random*1664525 + 1013904223
		// In the kernel, beside Go's timers.
		pause := syscall.NsecToTimespec(1500000 +
			1000000*int64(random>>16)/65536)
		syscall.Nanosleep(&pause, nil)
		mailbox <- time.Now()
		pause = syscall.NsecToTimespec(200000)
		syscall.Nanosleep(&pause, nil)
		times[i] = <-answer
	}
	sort.Float64s(times)
	fmt.Printf("wake-p99 %.3f\n", times[(len(times)-1)*99/100])
	return times[len(times)/2]
}

func main() {
	workloads := []workload{
		{"ping-pong", pingPong, true},
		{"ping-pong-32", pingPong32, true},
		{"request", request, true},
		{"ring", ring, true},
		{"counting", counting, true},
		{"fan-in-held", fanInHeld, true},
		{"spawn", spawn, true},
		{"tree", tree, true},
		{"big", big, true},
		{"chameneos", chameneos, true},
		{"fib", fib, true},
		{"nqueens", queens, true},
		{"jobs-inside", jobsInside, true},
		{"jobs-outside", jobsOutside, true},
		{"memory", memory, false},
		{"idle", idle, false},
		{"wake", wake, false},
	}
	if len(os.Args) == 2 && os.Args[1] == "list" {
		for _, w := range workloads {
			fmt.Println(w.name)
		}
		return
	}
	if len(os.Args) < 4 {
		fmt.Fprintln(os.Stderr, "usage: go list | WORKLOAD WORKERS SCALE")
		os.Exit(2)
	}
	workers, _ := strconv.Atoi(os.Args[2])
	scale, _ := strconv.ParseFloat(os.Args[3], 64)
	runtime.GOMAXPROCS(workers)
	for _, w := range workloads {
		if w.name != os.Args[1] {
			continue
		}
		if w.warm {
			w.run(trial{workers, scale * 0.05})
		}
		result := w.run(trial{workers, scale})
		name := w.name
		if name == "wake" {
			name = "wake-p50"
		}
		fmt.Printf("%s %.3f\n", name, result)
		return
	}
	os.Exit(2)
}
