# Evaluates one script for python-engine.cjs: a task as JSON on stdin, an answer as JSON on stdout.
import ctypes
import json
import os
import resource
import signal
import sys

PR_SET_PDEATHSIG = 1
# An engine that is killed takes its scripts with it, whatever they do.
if sys.platform == "linux":
    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != int(sys.argv[1]):
        os._exit(1)

task = json.load(sys.stdin)
answers = os.dup(1)
os.dup2(2, 1)  # What the script prints is no answer.
resource.setrlimit(resource.RLIMIT_AS, (task["memoryBytes"], task["memoryBytes"]))


def answer(**fields):
    os.write(answers, json.dumps(fields).encode())
    os._exit(0)


def line_of(error):
    if isinstance(error, SyntaxError):
        return error.lineno or 0
    line, trace = 0, error.__traceback__
    while trace is not None:
        if trace.tb_frame.f_code.co_filename == "script":
            line = trace.tb_lineno
        trace = trace.tb_next
    return line


def fail(kind, message, line=0):
    answer(failure={"kind": kind, "message": message, "line": line})


space = {variable["name"]: json.loads(variable["json"]) for variable in task["variables"]}
try:
    exec(compile(task["code"], "script", "exec"), space)
except MemoryError:
    fail("OUT_OF_MEMORY", "MemoryError")
except BaseException as error:
    fail("ERROR", f"{type(error).__name__}: {error}", line_of(error))
if task["result"] not in space:
    fail("RESULT_INVALID", f"{task['result']} is not set.")
try:
    answer(json=json.dumps(space[task["result"]], allow_nan=False))
except (TypeError, ValueError, RecursionError) as error:
    fail("RESULT_INVALID", f"{task['result']} is no JSON: {error}")
