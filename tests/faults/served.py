"""`mgnn serve` as a command like the others: it starts, answers a few questions, and is told to end."""
import http.client
import json
import re
import signal
import time
import urllib.parse

WAIT = 30  # seconds for a start, and for each answer


class Hangs(Exception):
    pass


def address(process, stdout):
    """Where it listens, (host, port); None: it has ended."""
    deadline = time.monotonic() + WAIT
    while time.monotonic() < deadline:
        said = re.search(rb'"url": ?"([^"]+)"', stdout.read_bytes())
        if said:
            url = urllib.parse.urlparse(said[1].decode())
            return url.hostname, url.port
        if process.poll() is not None:
            return None
        time.sleep(0.002)
    raise Hangs("does not start")


def questions(name):
    ask = {"nodes": ["1", "2"]}
    return [("GET", "/v1/models", None), ("POST", f"/v1/models/{name}/predict", ask),
            ("POST", f"/v1/models/{name}/embed", ask),
            ("POST", f"/v1/models/{name}/explain", {"node": "1"}), ("GET", "/", None)]


def answer(place, method, path, body):
    """(status, body); status 0: the connection was closed."""
    connection = http.client.HTTPConnection(*place, timeout=WAIT)
    try:
        connection.request(method, path, body and json.dumps(body),
                           {"Content-Type": "application/json"} if body else {})
        response = connection.getresponse()
        return response.status, response.read()
    except TimeoutError:
        raise Hangs(f"does not answer {path}") from None
    except (OSError, http.client.HTTPException):
        return 0, b""
    finally:
        connection.close()


def ask(process, folder, name):
    """Asks what `process` serves, whose output goes to folder/stdout, and ends it.

    Its exit code, but 1 with one more sentence in folder/stderr if a question was not answered;
    folder/stdout has the answers then. Throws Hangs.
    """
    stdout, stderr = folder / "stdout", folder / "stderr"
    try:
        place = address(process, stdout)
        told = [answer(place, *question) for question in questions(name)] if place else []
        if place:
            process.send_signal(signal.SIGTERM)
        code = process.wait(WAIT)
    except BaseException as error:
        process.kill()
        process.wait()
        if isinstance(error, Hangs) or type(error).__name__ == "TimeoutExpired":
            raise Hangs(str(error)) from None
        raise
    stdout.write_bytes(b"\n".join(body for _, body in told))
    refused = [(status, body) for status, body in told if status != 200]
    if code == 0 and refused and not stderr.read_bytes():
        status, body = refused[0]
        with stderr.open("ab") as file:
            file.write(b"mgnn: answer %d: %s\n" % (status, body.strip() or b"none"))
    return 1 if code == 0 and refused else code
