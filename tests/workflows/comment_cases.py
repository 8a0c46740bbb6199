#!/usr/bin/env python3
"""tools/github/comment.py beside a server that answers as GitHub's API does: what is written where, and what is not.

comment_cases.py PAWL     one line a case: `ok    NAME` or `FAIL  NAME`, then why
"""
import http.server
import io
import json
import os
import re
import subprocess
import sys
import tempfile
import threading
import urllib.parse
import zipfile

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
SCRIPT = os.path.join(ROOT, "tools", "github", "comment.py")
RESULT = os.path.join(ROOT, "tests", "fixtures", "result.json")
PAWL = os.path.abspath(sys.argv[1])
SHA, OTHER = "a" * 40, "b" * 40
MARKER = "<!-- pawl: performance -->"
BOT = {"login": "github-actions[bot]", "type": "Bot"}


def pull(number, sha=SHA, repo=1):
    return {"number": number, "state": "open", "head": {"sha": sha}, "base": {"ref": "main", "repo": {"id": repo}}}


class GitHub(http.server.ThreadingHTTPServer):
    """What the API has, and what was written to it."""

    def __init__(self):
        super().__init__(("127.0.0.1", 0), Answers)
        self.pulls = {7: pull(7)}
        self.comments = []
        self.artifacts = {}     # name: bytes, or (bytes, size as it is told)
        self.refuse = {}        # method: status
        self.fails_once = set()
        self.written = []
        self.asked = []
        self.store = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Store)
        self.store.github = self
        self.store.saw_token = False
        for server in (self, self.store):
            threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()

    def close(self):
        for server in (self, self.store):
            server.shutdown()
            server.server_close()


class Quiet(http.server.BaseHTTPRequestHandler):
    def log_message(self, format, *args):  # noqa: A002
        pass

    def give(self, status, body, kind="application/json", **headers):
        data = body if isinstance(body, bytes) else json.dumps(body).encode()
        self.send_response(status)
        for key, value in {"Content-Type": kind, "Content-Length": str(len(data)), **headers}.items():
            self.send_header(key.replace("_", "-"), value)
        self.end_headers()
        self.wfile.write(data)


class Store(Quiet):
    """Where artifacts lie: another server, which must not see the token."""

    def do_GET(self):
        github = self.server.github
        self.server.saw_token = self.server.saw_token or "Authorization" in self.headers
        content = list(github.artifacts.values())[int(self.path.rsplit("/", 1)[1])]
        self.give(200, content[0] if isinstance(content, tuple) else content, "application/zip")


class Answers(Quiet):
    def answer(self):
        github = self.server
        where = urllib.parse.urlsplit(self.path)
        path = where.path.removeprefix("/repos/owner/project")
        query = dict(urllib.parse.parse_qsl(where.query))
        length = int(self.headers.get("Content-Length") or 0)
        body = json.loads(self.rfile.read(length)) if length else None
        github.asked.append((self.command, path))
        if self.headers.get("Authorization") != "Bearer secret-token":
            return self.give(401, {"message": "Bad credentials"})
        if self.command in github.fails_once:
            github.fails_once.discard(self.command)
            return self.give(503, {"message": "later"}, Retry_After="0")
        if self.command in github.refuse:
            return self.give(github.refuse[self.command], {"message": "Resource not accessible by integration"})
        if self.command in ("POST", "PATCH"):
            if len(body["body"]) > 65536:
                return self.give(422, {"message": "body is too long"})
            github.written.append((self.command, path, body["body"]))
            return self.give(201, {"id": 1})
        first = (int(query.get("page", 1)) - 1) * 100
        if path == "/pulls":
            return self.give(200, list(github.pulls.values()) if query["head"] == "stranger:their-branch" else [])
        if found := re.fullmatch(r"/pulls/(\d+)", path):
            return self.give(200, github.pulls[int(found[1])]) if int(found[1]) in github.pulls else self.give(404, {})
        if re.fullmatch(r"/issues/\d+/comments", path):
            return self.give(200, github.comments[first:first + 100])
        if path == "/actions/runs/99/artifacts":
            names = list(github.artifacts)
            listed = [{"id": n, "name": name, "expired": False, "size_in_bytes": github.artifacts[name][1]
                       if isinstance(github.artifacts[name], tuple) else len(github.artifacts[name])}
                      for n, name in enumerate(names)]
            return self.give(200, {"total_count": len(names), "artifacts": listed[first:first + 100]})
        if found := re.fullmatch(r"/actions/artifacts/(\d+)/zip", path):
            return self.give(302, b"", Location=f"http://127.0.0.1:{github.store.server_port}/{found[1]}")
        return self.give(404, {"message": "Not Found"})

    do_GET = do_POST = do_PATCH = answer


def zipped(files):
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return out.getvalue()


def result(change=lambda it: None):
    with open(RESULT, encoding="utf-8") as file:
        it = json.load(file)
    it["partial"], it["mixed"] = False, []
    change(it)
    return json.dumps(it)


def run_event(**changes):
    return {"action": "completed", "repository": {"id": 1}, "workflow_run": {
        "id": 99, "event": "pull_request", "conclusion": "failure", "head_sha": SHA, "head_branch": "branch",
        "head_repository": {"full_name": "owner/project", "owner": {"login": "owner"}},
        "pull_requests": [pull(7)], **changes}}


FORK = {"head_branch": "their-branch", "pull_requests": [],
        "head_repository": {"full_name": "stranger/project", "owner": {"login": "stranger"}}}


def run(github, event, *args, **env):
    """(status, what it said)"""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "event.json")
        with open(path, "w", encoding="utf-8") as file:
            json.dump(event, file)
        clean = {"PATH": os.environ["PATH"], "GITHUB_EVENT_PATH": path, "GITHUB_REPOSITORY": "owner/project",
                 "GITHUB_API_URL": f"http://127.0.0.1:{github.server_port}", "GITHUB_TOKEN": "secret-token",
                 "GITHUB_SERVER_URL": "https://github.example", "GITHUB_ACTIONS": "true", "PAWL": PAWL,
                 "TMPDIR": folder, **env}
        done = subprocess.run([sys.executable, SCRIPT, *args], env=clean, capture_output=True, text=True, timeout=100,
                              check=False)
        assert os.listdir(folder) == ["event.json"], os.listdir(folder)
        return done.returncode, done.stdout + done.stderr


CASES = []


def case(function):
    CASES.append(function)
    return function


def wrote(github, method="POST", number=7):
    """The one comment that was written, to NUMBER."""
    assert len(github.written) == 1, github.written
    assert github.written[0][0] == method, github.written
    if method == "POST":
        assert github.written[0][1] == f"/issues/{number}/comments", github.written[0][1]
    body = github.written[0][2]
    assert body.startswith(MARKER + "\n"), body[:100]
    assert "secret-token" not in body
    return body


@case
def a_regression_is_said_in_the_pull_request_of_the_event(github):
    github.artifacts["pawl-result-x"] = zipped({"result.json": result()})
    status, said = run(github, run_event())
    assert status == 0 and "comment added in #7" in said, said
    body = wrote(github)
    assert "REGRESSION" in body.splitlines()[1] and "actions/runs/99/artifacts/0)" in body, body[-400:]
    assert "`gh run download 99 -n pawl-result-x -D red`, then `pawl run --repro red`" in body, body[-400:]
    assert not github.store.saw_token, "the token went to another server"


@case
def the_comment_is_updated_not_written_again(github):
    github.comments = [{"id": n, "body": "words", "user": {"login": "somebody"}} for n in range(150)]
    github.comments += [{"id": 500, "body": MARKER + "\nnot ours", "user": {"login": "somebody"}},
                        {"id": 501, "body": MARKER + "\nold", "user": BOT}]
    github.artifacts["pawl-result-x"] = zipped({"result.json": result()})
    status, said = run(github, run_event())
    assert status == 0, said
    wrote(github, "PATCH")
    assert github.written[0][1] == "/issues/comments/501", github.written[0][1]


@case
def a_fork_is_found_by_its_branch_and_commit(github):
    github.pulls = {3: pull(3, OTHER), 8: pull(8)}
    github.artifacts["pawl-result-x"] = zipped({"result.json": result()})
    status, said = run(github, run_event(**FORK))
    assert status == 0, said
    wrote(github, number=8)


@case
def two_pull_requests_of_one_commit_get_no_guess(github):
    github.pulls = {3: pull(3), 8: pull(8)}
    status, said = run(github, run_event(**FORK))
    assert status == 0 and not github.written and "#3, #8" in said, said


@case
def newer_commits_wait_for_their_own_run(github):
    github.pulls = {7: pull(7, OTHER)}
    status, said = run(github, run_event())
    assert status == 0 and not github.written and "newer commits" in said, said


@case
def a_pull_request_of_another_repository_is_not_ours(github):
    github.artifacts["pawl-result-x"] = zipped({"result.json": result()})
    github.pulls = {7: pull(7)}
    event = run_event(pull_requests=[pull(4, repo=2), pull(7)])
    status, said = run(github, event)
    assert status == 0, said
    wrote(github, number=7)


@case
def another_number_in_the_artifact_is_ignored(github):
    def claim(it):
        it["pull_request"] = it["number"] = 4
    github.pulls[4] = pull(4)
    github.artifacts["pawl-result-x"] = zipped({
        "result.json": result(claim), "pr_number": "4", "event.json": json.dumps({"number": 4}), "number.txt": "4"})
    status, said = run(github, run_event())
    assert status == 0, said
    wrote(github, number=7)


@case
def markup_mentions_and_links_in_names_stay_text(github):
    names = ["@octocat owner#12", "<img src=x onerror=alert(1)>", "[here](https://evil.example)", "`@octocat`",
             "![](https://evil.example/x.png)", "</details><script>", "https://evil.example/x", "a\n# heading\n\n@octocat",
             "--> @octocat", "| a | b |"]

    def hostile(it):
        it["notes"] = names
        it["command"] = names[0]
        it["machine"]["cpu"] = names[1]
        it["machine"]["notes"] = names
        for n, scenario in enumerate(it["scenarios"]):
            scenario["explanation"] = names
            scenario["notes"] = names
            scenario["failure"] = names[n % len(names)]
            for gate in scenario["gates"]:
                gate["reason"] = names[7]
            for symbol in scenario.get("symbols") or []:
                symbol["symbol"], symbol["dso"] = names[1], names[2]
    github.artifacts["pawl-result-x"] = zipped({"result.json": result(hostile)})
    status, said = run(github, run_event())
    assert status == 0, said
    # Text in code spans and blocks is never markup; the other text must not contain any.
    body = wrote(github)
    text = re.sub(r"(?m)^(```+|~~~+).*?^\1", "", body, flags=re.DOTALL)
    text = re.sub(r"(`+)(?!`).*?(?<!`)\1(?!`)", "", text)
    for bad in ("@octocat", "<img", "<script", "](https://evil", "![", "https://evil", "\n# heading"):
        assert bad not in text, f"{bad!r} in: " + text[max(0, text.find(bad) - 80):text.find(bad) + 80]
    assert text.count("<details>") == text.count("</details>"), text


@case
def artifacts_are_named_by_strangers(github):
    github.artifacts["pawl-</summary>@octocat"] = zipped({"result.json": result(), "x/result.json": result()})
    status, said = run(github, run_event())
    assert status == 0, said
    assert "octocat" not in wrote(github)


@case
def a_wrong_schema_is_said_not_shown(github):
    for wrong in ('{"schema": 1}', "[]", '{"schema": 99, "mode": "stored"}', "not json @octocat", "", "{" * 100000,
                  '"\\ud800"'):
        github.artifacts, github.written = {"pawl-result-x": zipped({"result.json": wrong})}, []
        status, said = run(github, run_event())
        assert status == 0, said
        body = wrote(github)
        assert "cannot be shown" in body and "octocat" not in body.replace("`", ""), body


@case
def what_is_too_large_is_not_read(github):
    github.artifacts["pawl-result-bomb"] = zipped({"result.json": b" " * (64 << 20)})
    github.artifacts["pawl-result-large"] = (b"x", 1 << 40)
    status, said = run(github, run_event())
    assert status == 0, said
    body = wrote(github)
    assert "longer than 32 MiB" in body and "larger than 256 MiB" in body, body


@case
def what_is_no_zip_is_said(github):
    damaged = bytearray(zipped({"result.json": result()}))
    damaged[200:260] = b"\xff" * 60
    github.artifacts = {"pawl-result-a": b"hello", "pawl-result-b": bytes(damaged), "pawl-result-c": b""}
    status, said = run(github, run_event())
    assert status == 0, said
    assert wrote(github).count("cannot be shown") == 3, wrote(github)


@case
def paths_in_the_zip_lead_nowhere(github):
    github.artifacts["pawl-result-x"] = zipped({
        "../result.json": result(), "/result.json": result(), "a/../../result.json": result(),
        "a\\..\\result.json": result(), "../../../../etc/cron.d/result.json": result()})
    status, said = run(github, run_event())
    assert status == 0, said
    assert "no result.json" in wrote(github)


@case
def many_long_reports_fit(github):
    def long(it):
        del it["suite"]  # has no scenario of these names
        it["scenarios"] = [{**it["scenarios"][0], "name": f"scenario-{n}"} for n in range(40)]
    files = {f"shard-{n}/result.json": result(long) for n in range(4)}
    for n in range(20):
        github.artifacts[f"pawl-result-{n:03}"] = zipped(files)
    status, said = run(github, run_event())
    assert status == 0, said
    body = wrote(github)
    assert len(body) < 65536 and "too long for a comment" in body, len(body)
    assert body.splitlines()[1].startswith("## ✗ REGRESSION"), body[:300]
    assert body.count("<details>") == body.count("</details>")


@case
def the_worst_of_several_results_comes_first(github):
    def fine(it):
        it["status"] = 0
        for scenario in it["scenarios"]:
            for gate in scenario["gates"]:
                gate["verdict"] = "pass"
    github.artifacts["pawl-result-x"] = zipped({"one/result.json": result(fine), "two/result.json": result()})
    status, said = run(github, run_event())
    assert status == 0, said
    body = wrote(github)
    assert "REGRESSION" in body.splitlines()[1], body[:500]
    assert body.index("`pawl-result-x: two`") < body.index("`pawl-result-x: one`"), body


@case
def a_run_without_a_report_says_so(github):
    github.artifacts["coverage"] = zipped({"result.json": result()})
    status, said = run(github, run_event())
    assert status == 0, said
    assert "Performance was not measured" in wrote(github)


@case
def a_run_that_was_cancelled_says_nothing(github):
    status, said = run(github, run_event(conclusion="cancelled"))
    assert status == 0 and not github.asked and "cancelled" in said, said


@case
def a_run_of_a_push_says_nothing(github):
    status, said = run(github, run_event(event="push"))
    assert status == 0 and not github.asked, said


@case
def a_token_without_rights_is_told_what_it_lacks(github):
    github.artifacts["pawl-result-x"] = zipped({"result.json": result()})
    github.refuse = {"POST": 403}
    status, said = run(github, run_event())
    assert status == 1 and "::error::" in said and "pull-requests: write" in said, said
    github.refuse = {"GET": 403}
    status, said = run(github, run_event())
    assert status == 1 and "actions: read" in said, said
    status, said = run(github, run_event(), GITHUB_TOKEN="")
    assert status == 1 and "GITHUB_TOKEN" in said, said


@case
def a_server_that_stumbles_is_asked_again(github):
    github.artifacts["pawl-result-x"] = zipped({"result.json": result()})
    github.fails_once = {"GET"}
    status, said = run(github, run_event())
    assert status == 0, said
    wrote(github)


@case
def an_event_that_is_none_is_a_fault(github):
    for event in ({}, {"workflow_run": {"event": "pull_request"}}, {"workflow_run": run_event()["workflow_run"]}, []):
        status, said = run(github, event)
        assert not github.written and "Traceback" not in said, said
        assert status == 1 or "::notice::no comment: the " in said, said


@case
def in_the_pull_requests_own_job_files_are_the_report(github):
    event = {"pull_request": pull(7), "number": 4}
    status, said = run(github, event, os.path.dirname(RESULT), GITHUB_RUN_ID="5")
    assert status == 0, said
    assert "actions/runs/5" in wrote(github)
    github.refuse, github.written = {"POST": 403}, []
    status, said = run(github, event, RESULT)
    assert status == 1 and "workflow_run" in said, said


def main():
    failed = 0
    for function in CASES:
        name = "comment: " + function.__name__.replace("_", " ")
        github = GitHub()
        try:
            function(github)
            print(f"ok    {name}")
        except Exception as fault:  # also what the code under test made of the server
            failed += 1
            print(f"FAIL  {name}")
            for line in f"{type(fault).__name__}: {fault}".splitlines()[:30]:
                print(f"      | {line[:500]}")
        finally:
            github.close()
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
