#!/usr/bin/env python3
"""Say in a pull request what pawl found: one comment, which later runs update.

comment.py                   in a workflow_run job: the artifacts of the run that ended are the report
comment.py RESULT...         in the pull request's own job: these files or folders are

What a pull request's job leaves is a stranger's: of an artifact only files called result.json are
read, never by a path that stands in it, and only as far as a result may be long. pawl, which must
be built from trusted code, checks and renders them. Nothing in them decides where the comment goes:
the pull request follows from GitHub's event alone.

Environment: GITHUB_EVENT_NAME, GITHUB_EVENT_PATH, GITHUB_REPOSITORY, GITHUB_API_URL,
GITHUB_SERVER_URL, as every job has them; GITHUB_TOKEN, which may read actions and write pull requests;
PAWL, the program (default pawl); PAWL_ARTIFACT, how names of artifacts begin (default pawl), or with
RESULT the name of the one that it is uploaded as; PAWL_ARTIFACT_URL, where that one is;
PAWL_COMMENTER, who writes (default github-actions[bot]).

Status: 0 written, or nothing to write, with the reason; 1 not written.
"""
import http.client
import json
import os
import re
import shlex
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.parse
import urllib.request
import zipfile

MARKER = "<!-- pawl: performance -->"
BODY_MOST = 65_000          # GitHub refuses 65,536 characters
ARTIFACT_MOST = 256 << 20   # bytes of a zip: recordings and pictures lie beside the result
RESULT_MOST = 32 << 20      # what pawl itself reads of a result
ANSWER_MOST = 16 << 20
RESULTS_MOST = 20           # reports in one comment
ENTRIES_MOST = 20_000
HEADLINE_MOST = 400
SHORT_MOST = HEADLINE_MOST + 300
PAGES_MOST = 30
RENDER_SECONDS = 60
RESULT_PATH = re.compile(r"(?:[A-Za-z0-9_+][A-Za-z0-9._+-]*/){0,4}result\.json")
PLAIN_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9 ._+-]{0,79}")
NUMBER = re.compile(r"[1-9][0-9]{0,18}")


class Failed(Exception):
    """It cannot be done, and its text says what to do."""


class Nothing(Exception):
    """There is nothing to write, for this reason."""


def say(kind, text):
    """A line for the log and, as an annotation, for the run's page."""
    text = text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")
    print(f"::{kind}::{text}", flush=True)


# -------- GitHub's API

class KeepTokenHere(urllib.request.HTTPRedirectHandler):
    """An artifact lies on another server, which must not see the token."""

    def redirect_request(self, req, fp, code, msg, headers, newurl):
        new = super().redirect_request(req, fp, code, msg, headers, newurl)
        if new and urllib.parse.urlsplit(newurl)[:2] != urllib.parse.urlsplit(req.full_url)[:2]:
            new.headers.pop("Authorization", None)
            new.unredirected_hdrs.pop("Authorization", None)
        return new


REMEDIES = {
    401: "the token is not valid: is GITHUB_TOKEN set to github.token in this step?",
    403: "the token has no right to this. Give the job `permissions: { actions: read, contents: read, "
         "pull-requests: write }`. A fork's pull request never gets it in a job of its own: let a workflow_run "
         "job comment (docs/how-to/github.md). An organization may forbid it under Settings, Actions, Workflow permissions",
    404: "there is no such thing, or the token may not see it: the job needs `actions: read` and `pull-requests: write`",
    410: "it has expired",
}


class Api:
    def __init__(self, env):
        self.root = env.get("GITHUB_API_URL") or "https://api.github.com"
        self.repo = env["GITHUB_REPOSITORY"]
        self.token = env.get("GITHUB_TOKEN", "")
        self.opener = urllib.request.build_opener(KeepTokenHere)

    def open(self, method, path, body=None):
        """The answer to a request below the repository; what may pass is tried again, but nothing is written twice."""
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(f"{self.root}/repos/{self.repo}{path}", data=data, method=method, headers={
            "Accept": "application/vnd.github+json", "Authorization": f"Bearer {self.token}",
            "X-GitHub-Api-Version": "2022-11-28", "User-Agent": "pawl", "Content-Type": "application/json"})
        what = f"{method} {path.split('?')[0]}"
        for left in (2, 1, 0):
            try:
                return self.opener.open(request, timeout=60)
            except urllib.error.HTTPError as error:
                passes = error.code == 429 or (error.code >= 500 and method != "POST")
                if not passes or not left:
                    remedy = REMEDIES.get(error.code, "try again later" if passes else message_of(error))
                    raise Failed(f"GitHub answers {error.code} to {what}: {remedy}") from error
                pause = error.headers.get("Retry-After", "")
            except (OSError, http.client.HTTPException) as error:
                if not left or method == "POST":
                    raise Failed(f"GitHub does not answer {what}: {getattr(error, 'reason', error)}") from error
                pause = ""
            time.sleep(min(int(pause), 60) if pause.isdigit() else 2)
        raise AssertionError

    def json(self, method, path, body=None):
        try:
            with self.open(method, path, body) as answer:
                text = answer.read(ANSWER_MOST + 1)
            if len(text) > ANSWER_MOST:
                raise Failed(f"GitHub's answer to {method} {path} is too long")
            return json.loads(text)
        except (ValueError, OSError, http.client.HTTPException) as error:
            raise Failed(f"GitHub's answer to {method} {path} cannot be read: {error}") from error

    def pages(self, path, key=None):
        """Every item of a list that comes in pages."""
        for page in range(1, PAGES_MOST + 1):
            items = self.json("GET", f"{path}{'&' if '?' in path else '?'}per_page=100&page={page}")
            items = items[key] if key else items
            yield from items
            if len(items) < 100:
                return


def message_of(error):
    try:
        return str(json.loads(error.read(4096)).get("message", ""))[:300] or error.reason
    except (ValueError, AttributeError, OSError):
        return str(error.reason)


# -------- which pull request

def read_event(env):
    try:
        with open(env["GITHUB_EVENT_PATH"], encoding="utf-8") as file:
            return json.load(file)
    except (KeyError, OSError, ValueError) as error:
        raise Failed(f"GITHUB_EVENT_PATH holds no event that can be read: {error!r}") from error


def number_of(pull):
    """A pull request's number as GitHub has it, or a fault: it becomes part of a path."""
    number = str(pull.get("number", ""))
    if not NUMBER.fullmatch(number):
        raise Failed("the event's pull request has no number")
    return number


def same_head(pull, run):
    return pull.get("head", {}).get("sha") == run.get("head_sha")


def find_pull(event, api):
    """The number of the one open pull request whose newest commit the run measured."""
    run = event["workflow_run"]
    # The list has pull requests of other repositories too, such as from here to a fork.
    known = [pull for pull in run.get("pull_requests") or []
             if same_head(pull, run) and pull["base"]["repo"]["id"] == event["repository"]["id"]]
    if len(known) == 1:
        pull = api.json("GET", f"/pulls/{number_of(known[0])}")
        if pull.get("state") == "open" and same_head(pull, run):
            return number_of(pull)
        raise Nothing("the pull request was closed or has newer commits, whose own run will report")
    # A fork's is never listed in the event.
    owner = ((run.get("head_repository") or {}).get("owner") or {}).get("login") or ""
    branch = run.get("head_branch") or ""
    if not owner or not branch:
        raise Nothing("the fork or the branch of the run is gone, and so is its pull request")
    query = urllib.parse.urlencode({"state": "open", "head": f"{owner}:{branch}"})
    found = [pull for pull in api.pages(f"/pulls?{query}") if same_head(pull, run)]
    if not found:
        raise Nothing(f"no open pull request has {run.get('head_sha', '?')[:12]} as its newest commit: closed, or newer commits follow")
    if len(found) > 1:
        raise Nothing("several pull requests have this commit as their newest, and the run does not say which it is of: "
                      + ", ".join(f"#{number_of(pull)}" for pull in found))
    return number_of(found[0])


# -------- what was found

def plain(name):
    """The name of an artifact, which its writer chose, where it is harmless as it stands."""
    return name if PLAIN_NAME.fullmatch(name) else "an artifact"


def results_of_zip(path, folder):
    """Copies results of the zip PATH to files of our own; yields (its folder in the zip, file, None) or (.., None, fault)."""
    try:
        with zipfile.ZipFile(path) as archive:
            if len(archive.infolist()) > ENTRIES_MOST:
                yield "", None, f"the artifact has more than {ENTRIES_MOST} entries"
                return
            entries = [entry for entry in archive.infolist() if RESULT_PATH.fullmatch(entry.filename)]
            entries.sort(key=lambda entry: (entry.filename.count("/"), entry.filename))
            if not entries:
                yield "", None, "the artifact has no result.json"
            for number, entry in enumerate(entries):
                inside = os.path.dirname(entry.filename)
                with archive.open(entry) as source:
                    text = source.read(RESULT_MOST + 1)
                if len(text) > RESULT_MOST:
                    yield inside, None, f"a result.json is longer than {RESULT_MOST >> 20} MiB"
                    continue
                own = os.path.join(folder, f"{number}.json")
                with open(own, "wb") as file:
                    file.write(text)
                yield inside, own, None
    except (zipfile.BadZipFile, NotImplementedError, RuntimeError, EOFError, OSError, ValueError) as error:
        yield "", None, f"the artifact is no zip that can be read ({type(error).__name__})"
    except Exception as error:  # zlib.error, lzma.LZMAError: whatever a damaged stream makes a decoder say
        yield "", None, f"the artifact is damaged ({type(error).__name__})"


def render(pawl, path):
    """(status, markdown) of a result; a file that is none has the status 2, and what pawl says of it."""
    # None of this job's variables: no token for the program that reads a stranger's file, and no annotations.
    env = {"PATH": os.environ.get("PATH", "/usr/bin:/bin"), "LC_ALL": "C.UTF-8", "HOME": "/nonexistent"}
    try:
        done = subprocess.run([pawl, "report", "--format", "markdown", path], env=env, stdin=subprocess.DEVNULL,
                              capture_output=True, timeout=RENDER_SECONDS, check=False, cwd=os.path.dirname(path) or ".")
    except subprocess.TimeoutExpired:
        return 2, f"pawl does not read it within {RENDER_SECONDS} s"
    except OSError as error:
        raise Failed(f"cannot start {pawl}: {error.strerror}") from error
    if done.returncode < 0 or not done.stdout.strip():
        said = done.stderr.decode(errors="replace").strip().splitlines()
        return 2, said[-1].replace(path, "result.json")[:300] if said else "pawl cannot read it"
    return done.returncode, done.stdout.decode(errors="replace").strip()


def fenced(text):
    """Foreign words that nothing in a comment takes for markup."""
    return "`" + re.sub(r"[^\x20-\x7e]|`", "?", text) + "`"


def shown(file, wrong, env):
    status, text = render(env.get("PAWL") or "pawl", file) if file else (2, wrong)
    return status, text if status != 2 else f"The result cannot be shown: {fenced(text)}"


def results_of_artifact(one, api, folder):
    """As results_of_zip(), of the artifact ONE."""
    path = os.path.join(folder, "artifact.zip")
    if one.get("size_in_bytes", 0) > ARTIFACT_MOST or not download(api, f"/actions/artifacts/{int(one['id'])}/zip", path):
        yield "", None, f"the artifact is larger than {ARTIFACT_MOST >> 20} MiB"
    else:
        yield from results_of_zip(path, folder)


def reports_of_artifacts(run, api, env, folder):
    """(title, status, markdown, id of its artifact) of every result that the run left."""
    prefix = env.get("PAWL_ARTIFACT") or "pawl"
    chosen = [one for one in api.pages(f"/actions/runs/{int(run['id'])}/artifacts", "artifacts")
              if str(one.get("name", "")).startswith(prefix) and not one.get("expired")]
    reports = []
    for one in sorted(chosen, key=lambda one: str(one["name"])):
        title = plain(str(one["name"]))
        for inside, file, wrong in results_of_artifact(one, api, folder):
            if len(reports) == RESULTS_MOST:
                say("notice", f"the comment has the first {RESULTS_MOST} results; the run has more")
                return reports
            named = f"{title}: {plain(inside.replace('/', ' '))}" if inside else title
            reports.append((named, *shown(file, wrong, env), int(one["id"])))
    return reports


def download(api, path, to):
    """False where it is too large."""
    got = 0
    with api.open("GET", path) as answer, open(to, "wb") as file:
        while block := answer.read(1 << 20):
            got += len(block)
            if got > ARTIFACT_MOST:
                return False
            file.write(block)
    return True


def reports_of_files(paths, env):
    reports = []
    for path in paths:
        file = os.path.join(path, "result.json") if os.path.isdir(path) else path
        file = os.path.abspath(file)
        name = os.path.basename(os.path.dirname(file))
        reports.append((plain(name), *shown(file, None, env), None))
    return reports


# -------- the comment

# The worst first: what could not be shown or measured, a regression, what is open.
ORDER = {2: 0, 3: 1, 1: 2, 4: 3}


def headline(text):
    return text.partition("\n")[0][:HEADLINE_MOST]


def desk(name, run_id):
    """How a developer sees again what the artifact NAME has."""
    return (f"\n\nAt your desk, on the branch, built: `gh run download {run_id} -n {shlex.quote(name)} -D red`, "
            "then `pawl run --repro red`.")


def red_artifact(reports):
    """The first of those that regressed; "" where none did, or another kind of name says where it lies."""
    return next((title for title, status, *_ in reports if status == 1 and PLAIN_NAME.fullmatch(title)), "")


def make_body(reports, link, conclusion, again="", uploaded=""):
    """All reports where they fit, the worst first; else their headlines."""
    if not reports:
        return (f"{MARKER}\n## Performance was not measured\n\nThe run ended ({conclusion}) and left no result: "
                f"nothing is known of this change. [Its log]({link}) says why.")
    parts = []
    room = BODY_MOST - len(MARKER) - len(again) - SHORT_MOST * len(reports)
    for title, _, text, artifact in sorted(reports, key=lambda report: ORDER.get(report[1], 4)):
        if len(text) > room:
            text = f"{headline(text)}\n\n(The report is too long for a comment.)"
        room -= len(text)
        of = f" of `{title}`" if len(reports) > 1 else ""
        files = f"{link}/artifacts/{artifact}" if artifact is not None else uploaded or link
        parts.append(f"{text}\n\n[Report, flame graphs and logs{of}]({files})")
    return f"{MARKER}\n" + "\n\n---\n\n".join(parts) + again


def write_comment(api, number, body, writer):
    """The first comment of ours is made new; where there is none, it is added."""
    for comment in api.pages(f"/issues/{number}/comments"):
        user = comment.get("user") or {}
        if str(comment.get("body") or "").startswith(MARKER) and user.get("login") == writer:
            api.json("PATCH", f"/issues/comments/{int(comment['id'])}", {"body": body})
            return "updated"
    api.json("POST", f"/issues/{number}/comments", {"body": body})
    return "added"


def comment(paths, env):
    event, api = read_event(env), Api(env)
    server = env.get("GITHUB_SERVER_URL") or "https://github.com"
    with tempfile.TemporaryDirectory() as folder:
        if paths:
            if "pull_request" not in event:
                raise Nothing("the event is no pull request's")
            number, run_id, conclusion = number_of(event["pull_request"]), env.get("GITHUB_RUN_ID", "0"), "without a result"
            reports = reports_of_files(paths, env)
            artifact = env.get("PAWL_ARTIFACT", "") if red_artifact(reports) else ""
        else:
            run = event.get("workflow_run")
            if not run or not str(run.get("event", "")).startswith("pull_request"):
                raise Nothing("the run was not of a pull request")
            if run.get("conclusion") in ("cancelled", "skipped"):
                raise Nothing(f"the run was {run['conclusion']}")
            number, run_id, conclusion = find_pull(event, api), str(run["id"]), str(run.get("conclusion"))
            reports = reports_of_artifacts(run, api, env, folder)
            artifact = red_artifact(reports)
        again = desk(artifact, int(run_id)) if PLAIN_NAME.fullmatch(artifact) else ""
        link = f"{server}/{api.repo}/actions/runs/{int(run_id)}"
        body = make_body(reports, link, conclusion, again, env.get("PAWL_ARTIFACT_URL", ""))
        done = write_comment(api, number, body, env.get("PAWL_COMMENTER") or "github-actions[bot]")
    print(f"comment {done} in #{number}")


def main():
    if sys.argv[1:2] in (["-h"], ["--help"]):
        print(__doc__)
        return 0
    try:
        comment(sys.argv[1:], os.environ)
    except Nothing as reason:
        say("notice", f"no comment: {reason}")
    except Failed as fault:
        say("error", f"no comment: {fault}")
        return 1
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        say("error", f"no comment: GitHub's event or answer is not as documented ({error!r})")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
