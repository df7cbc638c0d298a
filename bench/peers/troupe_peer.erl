%% SPDX-License-Identifier: BSD-3-Clause
%% Erlang: a process for each actor. See peer.hpp for the arguments; how many
%% schedulers there are is erl's own, +S.
-module(troupe_peer).
-export([main/1]).

main(["list"]) ->
    [io:format("~s~n", [Name]) || {Name, _, _} <- workloads()],
    halt(0);
main([Name, _Workers, Scale | _]) ->
    {_, Run, Warm} = lists:keyfind(Name, 1, workloads()),
    S = scale(Scale),
    Warm andalso Run(S * 0.05),
    io:format("~s ~.3f~n", [Name, float(Run(S))]),
    halt(0, [{flush, true}]);
main(_) ->
    halt(2).

scale(Text) ->
    case string:to_float(Text) of
        {error, no_float} -> float(list_to_integer(Text));
        {Number, _} -> Number
    end.

workloads() ->
    [{"ping-pong", fun(S) -> pairs(1, size(S, 500000)) end, true},
     {"ping-pong-32", fun(S) -> pairs(32, size(S, 16000)) end, true},
     {"request", fun request/1, true},
     {"ring", fun ring/1, true},
     {"counting", fun(S) -> fan_in(1, size(S, 2000000), credits) end, true},
     {"fan-in", fun(S) -> fan_in(16, size(S, 100000), credits) end, true},
     {"fan-in-unbounded",
      fun(S) -> fan_in(16, size(S, 100000), unbounded) end, true},
     {"spawn", fun spawn_waves/1, true},
     {"tree", fun tree/1, true},
     {"big", fun big/1, true},
     {"chameneos", fun chameneos/1, true},
     {"fib", fun fib/1, true},
     {"nqueens", fun queens/1, true},
     {"jobs-inside", fun jobs_inside/1, true},
     {"registry", fun registry/1, true},
     {"memory", fun memory/1, false},
     {"idle", fun idle/1, false}].

size(Scale, Base) -> max(1, trunc(Base * Scale)).

%% Nanoseconds of one of Count operations.
timed(Count, Body) ->
    Start = erlang:monotonic_time(nanosecond),
    Body(),
    (erlang:monotonic_time(nanosecond) - Start) / Count.

await(0) -> ok;
await(N) -> receive done -> await(N - 1) end.

%% ---- talking ---------------------------------------------------------------

pairs(Count, Rounds) ->
    Main = self(),
    timed(2 * Count * Rounds,
          fun() ->
                  [spawn(fun() ->
                                 Pong = spawn(fun pong/0),
                                 ping(Pong, Rounds),
                                 Pong ! stop,
                                 Main ! done
                         end) || _ <- lists:seq(1, Count)],
                  await(Count)
          end).

ping(_, 0) -> ok;
ping(To, N) ->
    To ! {ping, self(), N},
    receive {pong, N} -> ping(To, N - 1) end.

pong() ->
    receive
        {ping, From, N} -> From ! {pong, N}, pong();
        stop -> ok
    end.

request(S) ->
    Main = self(),
    Rounds = size(S, 500000),
    timed(Rounds,
          fun() ->
                  Answerer = spawn(fun answer/0),
                  spawn(fun() -> ask(Answerer, Rounds), Main ! done end),
                  await(1),
                  Answerer ! stop
          end).

answer() ->
    receive
        {Reference, From, N} -> From ! {Reference, N}, answer();
        stop -> ok
    end.

ask(_, 0) -> ok;
ask(To, N) ->
    Reference = make_ref(),
    To ! {Reference, self(), N},
    receive {Reference, N} -> ask(To, N - 1) end.

ring(S) ->
    Main = self(),
    Hops = max(503, size(S, 1000000)),
    timed(Hops,
          fun() ->
                  First = spawn(fun() ->
                                        receive {next, To} -> node(To, Main) end
                                end),
                  Last = lists:foldl(
                           fun(_, To) -> spawn(fun() -> node(To, Main) end) end,
                           First, lists:seq(2, 503)),
                  First ! {next, Last},
                  First ! Hops,
                  await(1)
          end).

node(To, Main) ->
    receive
        0 -> Main ! done;
        Left -> To ! Left - 1
    end,
    node(To, Main).

fan_in(Producers, Items, Bound) ->
    Main = self(),
    timed(Producers * Items,
          fun() ->
                  Consumer = spawn(fun() ->
                                           consume(Producers * Items, Bound),
                                           Main ! done
                                   end),
                  Credit = case Bound of credits -> 512; _ -> Items end,
                  [spawn(fun() -> produce(Consumer, 0, Items, Credit) end)
                   || _ <- lists:seq(1, Producers)],
                  await(1)
          end).

consume(0, _) -> ok;
consume(Left, Bound) ->
    receive
        {From, Number} when Bound =:= credits, Number rem 256 =:= 255 ->
            From ! credit;
        {_, _} -> ok
    end,
    consume(Left - 1, Bound).

produce(_, Items, Items, _) -> ok;
produce(To, Number, Items, 0) ->
    receive credit -> produce(To, Number, Items, 256) end;
produce(To, Number, Items, Credit) ->
    To ! {self(), Number},
    produce(To, Number + 1, Items, Credit - 1).

big(S) ->
    Main = self(),
    Pings = size(S, 5000),
    timed(128 * Pings,
          fun() ->
                  All = [spawn(fun() ->
                                       receive {start, T} ->
                                               Next = big_ping(T, I * 7919 + 1),
                                               big(Main, T, Next, Pings)
                                       end
                               end) || I <- lists:seq(1, 128)],
                  Tuple = list_to_tuple(All),
                  [P ! {start, Tuple} || P <- All],
                  await(128),
                  [P ! stop || P <- All]
          end).

big(Main, All, Seed, Left) ->
    receive
        {ping, From} -> From ! pong, big(Main, All, Seed, Left);
        pong when Left =:= 1 -> Main ! done, big(Main, All, Seed, 0);
        pong -> big(Main, All, big_ping(All, Seed), Left - 1);
        stop -> ok
    end.

big_ping(All, Seed) ->
    Next = (Seed * 1664525 + 1013904223) band 16#ffffffff,
    element(1 + (Next bsr 8) rem tuple_size(All), All) ! {ping, self()},
    Next.

chameneos(S) ->
    Main = self(),
    Meetings = size(S, 300000),
    timed(Meetings,
          fun() ->
                  Mall = spawn(fun() -> mall(Meetings, 100, none) end),
                  [spawn(fun() -> creature(Mall, I rem 3, 0, Main) end)
                   || I <- lists:seq(1, 100)],
                  Sum = lists:sum([receive {met, N} -> N end
                                   || _ <- lists:seq(1, 100)]),
                  Sum = 2 * Meetings
          end).

mall(0, 0, _) -> ok;
mall(0, Creatures, _) ->
    receive {come, From, _} -> From ! leave, mall(0, Creatures - 1, none) end;
mall(Left, Creatures, none) ->
    receive {come, From, _} -> mall(Left, Creatures, From) end;
mall(Left, Creatures, Waiting) ->
    receive {come, From, Colour} -> Waiting ! {meet, From, Colour} end,
    mall(Left - 1, Creatures, none).

creature(Mall, Colour, Met, Main) ->
    Mall ! {come, self(), Colour},
    receive
        {meet, Other, Colour} ->
            Other ! {change, Colour},
            creature(Mall, Colour, Met + 1, Main);
        {meet, Other, Theirs} ->
            Other ! {change, 3 - Colour - Theirs},
            creature(Mall, 3 - Colour - Theirs, Met + 1, Main);
        {change, New} -> creature(Mall, New, Met + 1, Main);
        leave -> Main ! {met, Met}
    end.

%% ---- coming and going ------------------------------------------------------

%% In waves of 4 * 256, as ours: the last child of one lets the parent go on.
spawn_waves(S) ->
    Main = self(),
    Count = size(S, 300000),
    timed(Count,
          fun() ->
                  spawn(fun() ->
                                Left = lists:foldl(fun wave/2, Count,
                                                   [1, 2, 3, 4]),
                                waves(Left, 4),
                                Main ! done
                        end),
                  await(1)
          end).

waves(_, 0) -> ok;
waves(Left, Busy) ->
    receive
        wave when Left =:= 0 -> waves(0, Busy - 1);
        wave -> waves(wave(0, Left), Busy)
    end.

wave(_, 0) ->
    self() ! wave,
    0;
wave(_, Left) ->
    Size = min(256, Left),
    Parent = self(),
    Alive = atomics:new(1, []),
    atomics:put(Alive, 1, Size),
    [spawn(fun() -> child(Parent, Alive) end) ! go || _ <- lists:seq(1, Size)],
    Left - Size.

child(Parent, Alive) ->
    receive go -> ok end,
    case atomics:sub_get(Alive, 1, 1) of
        0 -> Parent ! wave;
        _ -> ok
    end.

tree(S) ->
    Main = self(),
    Count = max(2, size(S, 1000000)),
    timed(tree_actors(Count),
          fun() ->
                  spawn(fun() -> branch(Main, 0, Count) end),
                  Expected = Count * (Count - 1) div 2,
                  receive Expected -> ok end
          end).

branch(Above, First, 1) -> Above ! First;
branch(Above, First, Count) ->
    Me = self(),
    Width = min(10, Count),
    [begin
         Begin = Count * I div Width,
         End = Count * (I + 1) div Width,
         spawn(fun() -> branch(Me, First + Begin, End - Begin) end)
     end || I <- lists:seq(0, Width - 1)],
    Above ! sum(Width, 0).

sum(0, Sum) -> Sum;
sum(N, Sum) -> receive X when is_integer(X) -> sum(N - 1, Sum + X) end.

tree_actors(Count) when Count =< 1 -> 1;
tree_actors(Count) ->
    Width = min(10, Count),
    Longer = case Count rem Width of
                 0 -> 0;
                 More -> More * tree_actors(Count div Width + 1)
             end,
    1 + (Width - Count rem Width) * tree_actors(Count div Width) + Longer.

%% ---- fork and join ---------------------------------------------------------

fib(S) ->
    N = fib_size(1, size(S, 2692537)),
    timed(fib_calls(N), fun() -> fib_of(N) end).

fib_calls(N) when N < 2 -> 1;
fib_calls(N) -> fib_calls(1, 1, N).

fib_calls(_, B, 1) -> B;
fib_calls(A, B, N) -> fib_calls(B, A + B + 1, N - 1).

fib_size(N, Limit) ->
    case fib_calls(N + 1) =< Limit of
        true -> fib_size(N + 1, Limit);
        false -> N
    end.

fib_of(N) when N < 2 -> N;
fib_of(N) ->
    Me = self(),
    spawn(fun() -> Me ! {fib, fib_of(N - 1)} end),
    Sum = fib_of(N - 2),
    receive {fib, Other} -> Sum + Other end.

queens(S) ->
    Limit = size(S, 166926),
    Boards = [{11, 2680, 166926}, {10, 724, 35539}, {9, 352, 8394},
              {8, 92, 2057}, {7, 40, 552}, {6, 4, 153}, {5, 10, 54},
              {4, 2, 17}, {3, 0, 6}, {2, 0, 3}, {1, 1, 2}],
    {N, Solutions, Calls} =
        hd([B || {_, _, C} = B <- Boards, C =< Limit] ++ [{1, 1, 2}]),
    timed(Calls,
          fun() -> Solutions = queens(1 bsl N - 1, 0, 0, 0) end).

queens(All, All, _, _) -> 1;
queens(All, Columns, Left, Right) ->
    Me = self(),
    Open = All band bnot (Columns bor Left bor Right),
    sum(queens_fork(Me, Open, All, Columns, Left, Right, 0), 0).

queens_fork(_, 0, _, _, _, _, Count) -> Count;
queens_fork(Me, Open, All, Columns, Left, Right, Count) ->
    Column = Open band -Open,
    spawn(fun() ->
                  Me ! queens(All, Columns bor Column,
                              ((Left bor Column) bsl 1) band All,
                              (Right bor Column) bsr 1)
          end),
    queens_fork(Me, Open bxor Column, All, Columns, Left, Right, Count + 1).

%% In waves of 1000, as ours.
jobs_inside(S) ->
    Main = self(),
    Waves = max(1, size(S, 10000000) div 1000),
    timed(Waves * 1000,
          fun() ->
                  spawn(fun() -> jobs(Waves), Main ! done end),
                  await(1)
          end).

jobs(0) -> ok;
jobs(Waves) ->
    Me = self(),
    Alive = atomics:new(1, []),
    atomics:put(Alive, 1, 1000),
    [spawn(fun() ->
                   case atomics:sub_get(Alive, 1, 1) of
                       0 -> Me ! wave;
                       _ -> ok
                   end
           end) || _ <- lists:seq(1, 1000)],
    receive wave -> jobs(Waves - 1) end.

%% ---- doing little ----------------------------------------------------------

quiet() -> receive _ -> quiet() end.

%% Names are atoms here.
registry(S) ->
    Count = max(1000, size(S, 2000000)),
    Names = list_to_tuple([list_to_atom("service-" ++ integer_to_list(I))
                           || I <- lists:seq(1, 1024)]),
    [begin
         whereis(Name) =:= undefined andalso register(Name, spawn(fun quiet/0))
     end || Name <- tuple_to_list(Names)],
    timed(Count, fun() -> look(Count, 1, Names) end).

look(0, _, _) -> ok;
look(N, Seed, Names) ->
    Next = (Seed * 1664525 + 1013904223) band 16#ffffffff,
    true = is_pid(whereis(element(1 + (Next bsr 8) rem 1024, Names))),
    look(N - 1, Next, Names).

resident() ->
    {ok, Text} = file:read_file("/proc/self/statm"),
    [_, Pages | _] = string:lexemes(Text, " "),
    binary_to_integer(Pages) * 4096.

memory(S) ->
    Count = max(1000, size(S, 1000000)),
    Before = resident(),
    All = [begin
               P = spawn(fun quiet/0),
               P ! 1,
               P
           end || _ <- lists:seq(1, Count)],
    timer:sleep(500),
    Result = (resident() - Before) / length(All),
    Result.

%% Milliseconds of processor time in 5 s.
idle(S) ->
    Time = round(5000 * min(1.0, S)),
    timer:sleep(300),
    {Before, _} = statistics(runtime),
    timer:sleep(Time),
    {After, _} = statistics(runtime),
    (After - Before) * 5000 / Time.
