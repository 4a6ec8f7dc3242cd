"""What goes on around runs: Ctrl-C, progress, threads, processes, closed graphs, memory."""

import copy
import gc
import logging
import os
import pickle
import resource
import signal
import subprocess
import sys
import threading
import time

import edgemill
from support import TestCase, program, values

ENDLESS = {"iterations": 4_000_000_000, "tolerance": 0, "device": "cpu"}


class ProcessTest(TestCase):
    def setUp(self):
        super().setUp()
        self.graph = self.ingest((range(999), range(1, 1000)))

    def interrupt_soon(self, seconds=0.5):
        """Sends SIGINT to this process, whose handler is Python's."""
        before = signal.signal(signal.SIGINT, signal.default_int_handler)
        self.addCleanup(signal.signal, signal.SIGINT, before)
        self.sent = 0.0

        def send():
            time.sleep(seconds)
            self.sent = time.monotonic()
            os.kill(os.getpid(), signal.SIGINT)

        thread = threading.Thread(target=send)
        self.addCleanup(thread.join)
        thread.start()

    def test_an_interrupt_ends_a_run(self):
        self.interrupt_soon()
        with self.assertRaises(KeyboardInterrupt):
            self.graph.pagerank(**ENDLESS)
        self.assertLess(time.monotonic() - self.sent, 0.5)
        self.assertIs(signal.getsignal(signal.SIGINT), signal.default_int_handler)
        self.assertEqual(len(self.graph.cc()), 1000)

    def test_an_interrupt_ends_an_ingest(self):
        def endless():
            while True:
                yield [1] * 1000, [2] * 1000

        self.interrupt_soon()
        with self.assertRaises(KeyboardInterrupt):
            edgemill.ingest(endless(), self.file("endless.mill"), memory="128MiB")
        self.assertLess(time.monotonic() - self.sent, 1)
        self.assertFalse(os.path.exists(self.file("endless.mill")))

    def test_an_interrupt_that_is_swallowed_ends_an_ingest(self):
        class Swallows:
            def __del__(self):  # Python ignores exceptions here
                os.kill(os.getpid(), signal.SIGINT)
                time.sleep(0.01)

        def endless():
            while True:
                yield [1], [2]
                Swallows()

        before = signal.signal(signal.SIGINT, signal.default_int_handler)
        self.addCleanup(signal.signal, signal.SIGINT, before)
        self.addCleanup(setattr, sys, "unraisablehook", sys.unraisablehook)
        ignored = []
        sys.unraisablehook = ignored.append
        with self.assertRaises(KeyboardInterrupt):
            edgemill.ingest(endless(), self.file("endless.mill"), memory="128MiB")
        self.assertEqual(len(ignored), 1)

    def test_a_program_ends_at_ctrl_c(self):
        code = (
            "import edgemill, sys\n"
            "g = edgemill.open(sys.argv[1], memory='128MiB', threads=2)\n"
            "print('begins', flush=True)\n"
            f"g.pagerank(**{ENDLESS!r})\n"
        )
        with subprocess.Popen([sys.executable, "-c", code, self.path], stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, text=True,
                              preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL)
                              ) as process:
            self.assertEqual(process.stdout.readline(), "begins\n")
            time.sleep(0.5)
            process.send_signal(signal.SIGINT)
            _, errors = process.communicate(timeout=5)
        self.assertIn("KeyboardInterrupt", errors)
        self.assertNotIn("Exception ignored", errors)

    def test_progress(self):
        seen = []

        def show(progress):
            seen.append(progress)
            if len(seen) == 3:
                raise StopIteration("enough")

        with self.assertRaises(StopIteration):
            self.graph.pagerank(progress=show, **ENDLESS)
        self.assertEqual(len(seen), 3)
        self.assertEqual((seen[2].stage, seen[2].unit), ("pagerank", "edges"))
        self.assertGreater(seen[2].iteration, 0)

    def test_a_line_shows_progress(self):
        code = (
            "import edgemill, sys\n"
            "sys.modules['tqdm'] = None\n"
            "from edgemill.progress import Progress, display\n"
            "show, close = display(True)\n"
            "show._since -= 1\n"
            "show(Progress('reading', 'edges', 1234, 5000, 0)); close()\n"
        )
        done = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True)
        self.assertTrue(done.stderr.startswith(b"\redgemill: reading, 1,234 of 5,000 edges\r"),
                        done.stderr)

    def test_tqdm_shows_progress_where_it_is(self):
        code = (
            "import sys, types, edgemill\n"
            "class tqdm:\n"
            "    n = 0\n"
            "    def __init__(self, **options): print(options['desc'], options['total'])\n"
            "    def update(self, more): self.n += more; print(self.n)\n"
            "    def close(self): print('closed')\n"
            "sys.modules['tqdm'] = types.SimpleNamespace(tqdm=tqdm)\n"
            "from edgemill.progress import Progress, display\n"
            "show, close = display(True)\n"
            "show(Progress('too early', 'edges', 1, 2, 0))\n"
            "show._since -= 1\n"
            "show(Progress('reading', 'edges', 7, 20, 0))\n"
            "show(Progress('reading', 'edges', 9, 20, 0))\n"
            "show(Progress('sorting', 'edges', 1, 0, 0)); close()\n"
        )
        done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True,
                              check=True)
        self.assertEqual(done.stdout.split("\n"),
                         ["reading 20", "7", "9", "closed", "sorting None", "1", "closed", ""])

    def test_copies(self):
        again = pickle.loads(pickle.dumps(self.graph))
        self.assertEqual(len(again.cc()), 1000)
        again.close()
        answer = self.graph.cc()
        self.refused(TypeError, "cannot be copied", copy.copy, answer)
        self.refused(TypeError, "cannot be copied", pickle.dumps, answer)

    def test_notes_are_logged(self):
        with self.assertLogs("edgemill", logging.INFO) as logs:
            self.graph.sssp(0)  # without weights
        self.assertIn("weight", logs.output[0])

    def test_threads(self):
        answers = {}
        def run(source):
            answers[source] = values(self.graph.bfs(source).values)[999]

        threads = [threading.Thread(target=run, args=(source,)) for source in range(6)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(answers, {source: 999 - source for source in range(6)})

    def test_python_goes_on_during_a_run(self):
        ticks = []

        def tick():
            while not stop.is_set():
                ticks.append(time.monotonic())
                time.sleep(0.005)

        stop = threading.Event()
        thread = threading.Thread(target=tick)
        thread.start()
        begin = time.monotonic()

        def enough(_progress):
            if time.monotonic() - begin > 1:
                raise StopIteration

        with self.assertRaises(StopIteration):
            self.graph.pagerank(progress=enough, **ENDLESS)
        stop.set()
        thread.join()
        self.assertGreater(len(ticks), 20)

    def test_a_closed_graph_is_refused(self):
        answer = self.graph.cc()
        self.graph.close()
        self.graph.close()
        self.refused(edgemill.UsageError, "is closed: open it again", self.graph.cc)
        self.assertEqual(answer.top(), [(0, 1000)])
        with edgemill.open(self.path) as graph:
            graph.cc()
        self.refused(edgemill.UsageError, "is closed", graph.cc)

    def test_closing_waits_for_runs(self):
        def show(_progress):
            self.graph.close()
            raise StopIteration

        with self.assertRaises(StopIteration):
            self.graph.pagerank(progress=show, **ENDLESS)
        self.refused(edgemill.UsageError, "is closed", self.graph.cc)

    def test_replaced_and_removed_graphs_are_refused(self):
        edgemill.ingest(([0], [1]), self.path, memory="128MiB", replace=True).close()
        self.refused(edgemill.MissingError, "open it again", self.graph.cc)
        with edgemill.open(self.path) as graph:
            self.refused(edgemill.LockedError, "", edgemill.remove, self.path)
            moved = self.file("moved.mill")
            os.rename(self.path, moved)
            self.refused(edgemill.MissingError, "graph.mill", graph.cc)
        program("remove", moved)
        self.refused(edgemill.MissingError, "moved.mill", edgemill.open, moved)

    def test_a_forked_process_is_refused(self):
        read, write = os.pipe()
        child = os.fork()
        if child == 0:
            try:
                self.graph.cc()
            except edgemill.UsageError as error:
                os.write(write, str(error).encode())
            finally:
                os._exit(0)
        os.close(write)
        with os.fdopen(read) as pipe:
            self.assertIn("was forked from one that uses Edgemill", pipe.read())
        os.waitpid(child, 0)
        self.assertEqual(len(self.graph.cc()), 1000)

    def test_nothing_leaks(self):
        def run():
            answer = self.graph.bfs(0)
            memoryview(answer.values)
            answer.__arrow_c_stream__()
            answer.top(3)

        for _ in range(20):
            run()
        gc.collect()
        gc.disable()
        self.addCleanup(gc.enable)
        references = sys.getrefcount(self.graph)
        objects = len(gc.get_objects())
        resident = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        for _ in range(200):
            run()
        self.assertEqual(sys.getrefcount(self.graph), references)
        self.assertLess(len(gc.get_objects()) - objects, 50)
        grown = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - resident
        self.assertLess(grown, 16 << 10)  # KiB


class PackageTest(TestCase):
    def python(self, code, **environment):
        return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True,
                              env={**os.environ, **environment})

    def test_a_missing_library_is_named(self):
        done = self.python("import edgemill", EDGEMILL_LIBRARY=self.file("absent.so"))
        self.assertIn("absent.so", done.stderr)
        self.assertIn("set EDGEMILL_LIBRARY to the path", done.stderr)
        self.assertIn("ImportError", done.stderr)

    def test_another_library_is_refused(self):
        done = self.python("import edgemill", EDGEMILL_LIBRARY="libc.so.6")
        self.assertIn("is another version of the library", done.stderr)

    def test_import_needs_no_optional_package(self):
        code = (
            "import sys, edgemill\n"
            "print([name for name in ('numpy', 'pandas', 'pyarrow', 'tqdm') if name in sys.modules])"
        )
        self.assertEqual(self.python(code).stdout, "[]\n")

    def test_versions_agree(self):
        from edgemill.library import lib

        self.assertEqual(lib.version().decode(), edgemill.__version__)

    def test_the_import_is_fast(self):
        """Within 100 ms of processor time beyond Python's own start, as users import it: the second
        time, when its modules are compiled."""
        environment = {**os.environ, "PYTHONPYCACHEPREFIX": self.file("compiled")}
        environment.pop("PYTHONDONTWRITEBYTECODE", None)

        def least_of(code: str) -> float:
            took = []
            for _ in range(5):
                before = resource.getrusage(resource.RUSAGE_CHILDREN)
                subprocess.run([sys.executable, "-c", code], check=True, env=environment)
                after = resource.getrusage(resource.RUSAGE_CHILDREN)
                took.append(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
            return min(took)

        least_of("import edgemill")  # compiles the modules
        self.assertLess(least_of("import edgemill") - least_of("pass"), 0.1)
