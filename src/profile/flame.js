// What a flame graph does in a browser. Symbols are only ever read from the drawing and written as text.
(function () {
"use strict";
var svg = document.currentScript ? document.currentScript.closest("svg") : document.documentElement;
var SVG = "http://www.w3.org/2000/svg", HTML = "http://www.w3.org/1999/xhtml";
var rowHeight = parseFloat(svg.dataset.frameHeight);
// Coordinates are printed with six decimals.
var NEAR = 0.000002;
var views = [], state = { view: 0, zoom: 0, search: "", ignoreCase: false };
var alone = document.documentElement === svg;
var bar, host, field, caseBox, resetButton, said, viewButtons = [], hits = [], focused = null;

// -------- reading the drawing

function readFrame(element) {
	return {
		element: element,
		x: parseFloat(element.getAttribute("x")),
		width: parseFloat(element.getAttribute("width")),
		row: Math.round(parseFloat(element.getAttribute("y")) / rowHeight),
		title: element.firstChild,
		text: element.querySelector("text"),
		pruned: parseFloat(element.dataset.pruned || "0"),
		depth: 0, name: "", shownX: 0, shownWidth: 0, shown: true
	};
}

function readView(group) {
	var frames = Array.from(group.querySelectorAll(".f"), readFrame), root = frames.length ? frames[0].row : 0;
	var view = { name: group.dataset.view, group: group, frames: frames, picture: group.querySelector(".frames") };
	frames.forEach(function (frame, i) {
		frame.index = i;
		frame.depth = Math.abs(frame.row - root);
		frame.name = frame.title.textContent.split("\n")[0];
		frame.element.pawlFrame = frame;
		frame.element.setAttribute("role", "treeitem");
		frame.element.setAttribute("aria-level", frame.depth + 1);
		frame.element.setAttribute("tabindex", i ? "-1" : "0");
	});
	if (view.picture) {
		view.picture.setAttribute("role", "tree");
		view.picture.setAttribute("aria-label", "Flame graph" + (group.querySelector(".head") ? ", " +
			group.querySelector(".head").textContent : ""));
	}
	return view;
}

function current() { return views[state.view]; }

// -------- placing frames

function letterWidth() {
	var probe = document.createElementNS(SVG, "text"), width;
	probe.textContent = "mmmmmmmmmm";
	svg.appendChild(probe);
	width = probe.getComputedTextLength() / 10;
	svg.removeChild(probe);
	return width > 0 ? width : 7.2;
}

function writeName(frame, pixels, letter) {
	var room = Math.floor((frame.shownWidth * pixels / 100 - 6) / letter), name = frame.name;
	if (room < 3) {
		if (frame.text) frame.text.textContent = "";
		return;
	}
	if (!frame.text) {
		frame.text = document.createElementNS(SVG, "text");
		frame.text.setAttribute("x", "3");
		frame.text.setAttribute("y", (rowHeight / 2 + parseFloat(getComputedStyle(svg).fontSize) * 0.33).toFixed(1));
		frame.element.appendChild(frame.text);
	}
	frame.text.textContent = name.length > room ? name.slice(0, room - 1) + "\u2026" : name;
}

function writeNames() {
	var view = current(), letter = letterWidth(), pixels;
	if (!view.picture) return;
	// The box of the inner drawing is as wide as its longest name.
	pixels = svg.getBoundingClientRect().width * parseFloat(view.picture.getAttribute("width")) / 100;
	view.frames.forEach(function (frame) { if (frame.shown) writeName(frame, pixels, letter); });
}

function place(frame, x, width, up) {
	frame.shown = width > 0;
	frame.shownX = x;
	frame.shownWidth = width;
	frame.element.style.display = frame.shown ? "" : "none";
	frame.element.classList.toggle("up", up);
	if (!frame.shown) return;
	frame.element.setAttribute("x", x.toFixed(6) + "%");
	frame.element.setAttribute("width", width.toFixed(6) + "%");
}

function placeFrames() {
	var view = current(), to = view.frames[state.zoom], left, right;
	if (!to) return;
	left = to.x - NEAR;
	right = to.x + to.width + NEAR;
	view.frames.forEach(function (frame) {
		if (frame.depth < to.depth && frame.x <= to.x + NEAR && frame.x + frame.width >= right - 2 * NEAR)
			place(frame, 0, 100, true);
		else if (frame.depth >= to.depth && frame.x >= left && frame.x + frame.width <= right)
			place(frame, (frame.x - to.x) / to.width * 100, frame.width / to.width * 100, false);
		else
			place(frame, 0, 0, false);
	});
	resetButton.disabled = !state.zoom;
	writeNames();
}

function placeViews() {
	var top = views[0].top, bottom = 0;
	views.forEach(function (view, i) {
		view.group.style.display = i === state.view ? "" : "none";
		view.group.setAttribute("transform", "translate(0," + top + ")");
		if (i === state.view) bottom = top + view.height;
	});
	svg.setAttribute("height", bottom);
	placeBar();
	viewButtons.forEach(function (button, i) { button.setAttribute("aria-pressed", i === state.view ? "true" : "false"); });
}

// The controls stay in sight.
function placeBar() {
	var top = parseFloat(svg.querySelector(".tools").dataset.y) + headLines * LINE;
	host.setAttribute("y", alone ? Math.max(top, window.scrollY) : top);
}

// -------- lines of text, broken for the width of the window

var LINE = 18, headLines = 0;

// At a blank or slash; a longer word is cut.
function broken(text, room) {
	var lines = [], at;
	while (text.length > room) {
		at = Math.max(text.lastIndexOf(" ", room - 1), text.lastIndexOf("/", room - 1)) + 1 || room;
		lines.push(text.slice(0, at));
		text = text.slice(at);
	}
	return lines.concat(text);
}

// How many lines it has now beyond those it was drawn with.
function breakText(text) {
	var room, lines;
	if (text.drawnLines === undefined) text.drawnLines = text.querySelectorAll("tspan").length;
	room = (svg.getBoundingClientRect().width - 20) / (text.getComputedTextLength() / text.textContent.length);
	lines = text.textContent.length ? broken(text.textContent, Math.max(1, Math.floor(room))) : [""];
	text.textContent = "";
	lines.forEach(function (line, i) {
		var span = document.createElementNS(SVG, "tspan");
		if (i) {
			span.setAttribute("x", text.getAttribute("x"));
			span.setAttribute("dy", LINE);
		}
		span.textContent = line;
		text.appendChild(span);
	});
	return lines.length - text.drawnLines;
}

// The Y of ELEMENT as drawn, and LINES further down.
function moveDown(element, lines) {
	if (!element) return;
	if (element.drawnY === undefined) element.drawnY = parseFloat(element.getAttribute("y"));
	element.setAttribute("y", element.drawnY + lines * LINE);
}

function breakLines() {
	var legend = svg.querySelector(".legend");
	headLines = 0;
	Array.from(svg.querySelectorAll(".title,.sub")).forEach(function (text) {
		moveDown(text, headLines);
		headLines += breakText(text);
	});
	if (legend) legend.setAttribute("transform", "translate(0," + headLines * LINE + ")");
	views.forEach(function (view) {
		var heading = view.group.querySelector(".head"), note = view.group.querySelector(".pruned"), lines;
		view.group.style.display = "";
		lines = heading ? breakText(heading) : 0;
		moveDown(view.picture, lines);
		moveDown(note, lines);
		if (note) lines += breakText(note);
		view.top = view.drawnTop + headLines * LINE;
		view.height = view.drawnHeight + lines * LINE;
	});
}

// -------- searching

function expression() {
	try {
		return new RegExp(state.search, state.ignoreCase ? "iu" : "u");
	} catch (e) {
		// Names of C++ and Java hold what the stricter form refuses.
		return new RegExp(state.search, state.ignoreCase ? "i" : "");
	}
}

function matched() {
	var end = -1, sum = 0;
	hits.filter(function (f) { return f.shown; }).sort(function (a, b) { return a.shownX - b.shownX || b.shownWidth - a.shownWidth; })
		.forEach(function (f) {
			var from = Math.max(f.shownX, end), to = f.shownX + f.shownWidth;
			if (to > from) { sum += to - from; end = to; }
		});
	return Math.min(sum, 100);
}

// Percent of what is shown that has too narrow frames, below none that matched.
function unsearched() {
	var sum = 0, under = -1, to = current().frames[state.zoom];
	current().frames.forEach(function (f) {
		if (under >= 0 && f.depth > under) return;
		under = hits.indexOf(f) >= 0 ? f.depth : -1;
		if (under < 0 && f.shown && !f.element.classList.contains("up")) sum += f.pruned / to.width * 100;
	});
	return sum;
}

function search() {
	var wanted = null, frames = current().frames;
	try {
		if (state.search) wanted = expression();
		field.removeAttribute("aria-invalid");
	} catch (e) {
		field.setAttribute("aria-invalid", "true");
		say("not a regular expression");
	}
	hits = wanted ? frames.filter(function (f) { return wanted.test(f.name); }) : [];
	frames.forEach(function (f) { f.element.classList.remove("hit"); });
	hits.forEach(function (f) { f.element.classList.add("hit"); });
	svg.classList.toggle("searched", !!wanted);
	if (!field.hasAttribute("aria-invalid")) sayMatched();
}

function sayMatched() {
	if (!state.search) { say(""); return; }
	var n = hits.filter(function (f) { return f.shown; }).length, rest = unsearched();
	say("matched " + matched().toFixed(1) + " %" + (state.zoom ? " of the zoomed frame" : "") + " in " + n + (n === 1 ? " frame" : " frames") +
		(rest >= 0.05 ? "; " + rest.toFixed(1) + " % is too narrow to be drawn, and not searched" : ""));
}

function say(text) {
	said.textContent = text;
	said.title = text;
}

function nextHit(step) {
	var shown = hits.filter(function (f) { return f.shown; });
	if (shown.length) focus(shown[(shown.indexOf(focused) + step + shown.length) % shown.length]);
}

// -------- the address: #v=base&z=12:main&s=foo&i=1

function address() {
	var parts = [], frame = current().frames[state.zoom];
	if (state.view) parts.push("v=" + current().name);
	if (state.zoom && frame) parts.push("z=" + state.zoom + ":" + encodeURIComponent(frame.name));
	if (state.search) parts.push("s=" + encodeURIComponent(state.search));
	if (state.search && state.ignoreCase) parts.push("i=1");
	return parts.join("&");
}

function decode(text) {
	try {
		return decodeURIComponent(text);
	} catch (e) {
		return "";
	}
}

function remember(asStep) {
	var wanted = address(), base = location.href.split("#")[0];
	if (location.hash.slice(1) === wanted) return;
	try {
		if (asStep) history.pushState(null, "", base + "#" + wanted);
		else history.replaceState(null, "", base + "#" + wanted);
	} catch (e) {
		location.hash = wanted;
	}
}

// The number holds for this very file; in one made anew the first frame of that name is what was meant.
function findFrame(frames, text) {
	var at = text.indexOf(":"), number = parseInt(text, 10), name = decode(at < 0 ? "" : text.slice(at + 1));
	if (frames[number] && (at < 0 || frames[number].name === name)) return number;
	return Math.max(0, frames.findIndex(function (f) { return f.name === name; }));
}

function readAddress() {
	var zoom = "";
	state = { view: 0, zoom: 0, search: "", ignoreCase: false };
	location.hash.slice(1).split("&").forEach(function (part) {
		var value = part.slice(2);
		if (part.indexOf("v=") === 0) state.view = Math.max(0, views.findIndex(function (v) { return v.name === value; }));
		if (part.indexOf("z=") === 0) zoom = value;
		if (part.indexOf("s=") === 0) state.search = decode(value).slice(0, 1000);
		if (part.indexOf("i=") === 0) state.ignoreCase = value === "1";
	});
	if (zoom) state.zoom = findFrame(current().frames, zoom);
	show();
}

function show() {
	field.value = state.search;
	caseBox.checked = state.ignoreCase;
	placeViews();
	placeFrames();
	search();
}

// -------- doing

function zoom(frame) {
	state.zoom = frame ? frame.index : 0;
	placeFrames();
	sayMatched();
	if (focused && !focused.shown) focus(frame || current().frames[0]);
	remember(true);
}

function changeView(i) {
	var name = current().frames[state.zoom] ? current().frames[state.zoom].name : "";
	if (i === state.view || !views[i]) return;
	state.view = i;
	state.zoom = state.zoom ? Math.max(0, current().frames.findIndex(function (f) { return f.name === name; })) : 0;
	focused = null;
	show();
	remember(true);
}

function focus(frame) {
	if (!frame) return;
	current().frames.forEach(function (f) { if (f.element.getAttribute("tabindex") === "0") f.element.setAttribute("tabindex", "-1"); });
	frame.element.setAttribute("tabindex", "0");
	frame.element.setAttribute("aria-label", frame.title.textContent.replace(/\n/g, ", "));
	frame.element.focus();
	focused = frame;
	describe(frame);
}

function describe(frame) {
	say(frame.title.textContent.replace(/\n/g, "  "));
}

function startSearch() {
	field.focus();
	field.select();
}

function setSearch(text) {
	field.value = state.search = text;
	search();
	remember(false);
}

function escape() {
	if (document.activeElement === field || !state.zoom) setSearch("");
	else zoom(null);
	if (document.activeElement === field) focus(focused || current().frames[state.zoom]);
}

// -------- the keyboard

function middle(frame) { return frame.shownX + frame.shownWidth / 2; }

function parentOf(frame) {
	return current().frames.find(function (f) {
		return f.shown && f.depth === frame.depth - 1 && f.shownX <= middle(frame) && f.shownX + f.shownWidth >= middle(frame);
	});
}

function widestChild(frame) {
	var best = null;
	current().frames.forEach(function (f) {
		if (f.shown && f.depth === frame.depth + 1 && middle(f) >= frame.shownX && middle(f) <= frame.shownX + frame.shownWidth &&
		    (!best || f.shownWidth > best.shownWidth)) best = f;
	});
	return best;
}

function neighbour(frame, step) {
	var row = current().frames.filter(function (f) { return f.shown && f.depth === frame.depth; });
	row.sort(function (a, b) { return a.shownX - b.shownX; });
	return row[row.indexOf(frame) + step];
}

function moveKey(key, frame) {
	switch (key) {
	case "ArrowUp": return focus(widestChild(frame));
	case "ArrowDown": return focus(parentOf(frame));
	case "ArrowLeft": return focus(neighbour(frame, -1));
	case "ArrowRight": return focus(neighbour(frame, 1));
	case "Home": return focus(current().frames[0]);
	case "Enter": case " ": return zoom(frame);
	}
}

var FRAME_KEYS = ["ArrowUp", "ArrowDown", "ArrowLeft", "ArrowRight", "Home", "Enter", " "];

function plainKey(event) {
	switch (event.key) {
	case "/": startSearch(); return true;
	case "i": state.ignoreCase = caseBox.checked = !state.ignoreCase; search(); remember(false); return true;
	case "n": nextHit(1); return true;
	case "N": nextHit(-1); return true;
	case "r": zoom(null); return true;
	case "h": changeView(0); return true;
	case "b": changeView(1); return true;
	case "v": changeView(2); return true;
	}
	return false;
}

function onKey(event) {
	var frame = event.target.pawlFrame, typing = event.target === field;
	if ((event.ctrlKey || event.metaKey) && !event.altKey && event.key.toLowerCase() === "f") {
		// Pressed again, it is the browser's own search.
		if (typing) return;
		startSearch();
		event.preventDefault();
		return;
	}
	if (event.ctrlKey || event.metaKey || event.altKey) return;
	if (event.key === "Escape") { escape(); event.preventDefault(); return; }
	if (typing) {
		if (event.key === "Enter") nextHit(event.shiftKey ? -1 : 1);
		return;
	}
	if (frame && FRAME_KEYS.indexOf(event.key) >= 0) { moveKey(event.key, frame); event.preventDefault(); return; }
	if (plainKey(event)) event.preventDefault();
}

// -------- building

function element(name, text) {
	var made = document.createElementNS(HTML, name);
	if (text) made.textContent = text;
	return made;
}

function addButton(text, keys, action) {
	var made = element("button", text);
	made.type = "button";
	made.title = text + " (" + keys + ")";
	made.setAttribute("aria-keyshortcuts", keys);
	made.addEventListener("click", action);
	bar.appendChild(made);
	return made;
}

function addViewButtons() {
	var words = { head: "Head", base: "Base", vanished: "Vanished" }, keys = { head: "h", base: "b", vanished: "v" };
	views.forEach(function (view, i) {
		viewButtons.push(addButton(words[view.name], keys[view.name], function () { changeView(i); }));
	});
}

function addSearch() {
	var label = element("label");
	field = element("input");
	field.type = "search";
	field.placeholder = "Search (regular expression)";
	field.title = "Search names by a regular expression (/ or Ctrl-F); Enter goes to the next";
	field.setAttribute("aria-label", "Search names by a regular expression");
	field.addEventListener("input", function () { state.search = field.value; search(); remember(false); });
	bar.appendChild(field);
	caseBox = element("input");
	caseBox.type = "checkbox";
	caseBox.setAttribute("aria-label", "Ignore case");
	caseBox.addEventListener("change", function () { state.ignoreCase = caseBox.checked; search(); remember(false); });
	label.appendChild(caseBox);
	label.appendChild(document.createTextNode("Ignore case"));
	bar.appendChild(label);
}

function buildBar() {
	var tools = svg.querySelector(".tools");
	host = document.createElementNS(SVG, "foreignObject");
	host.setAttribute("x", "0");
	host.setAttribute("y", tools.dataset.y);
	host.setAttribute("width", "100%");
	host.setAttribute("height", "30");
	bar = element("div");
	bar.className = "bar";
	bar.setAttribute("role", "toolbar");
	bar.setAttribute("aria-label", "Flame graph");
	if (views.length > 1) addViewButtons();
	resetButton = addButton("Reset zoom", "r", function () { zoom(null); });
	addSearch();
	said = element("output");
	said.setAttribute("aria-live", "polite");
	bar.appendChild(said);
	host.appendChild(bar);
	tools.textContent = "";
	tools.appendChild(host);
	// What comes last is drawn above the frames.
	svg.appendChild(tools);
}

function frameOf(target) {
	var at = target.closest ? target.closest(".f") : null;
	return at && svg.contains(at) ? at.pawlFrame : null;
}

function measureViews() {
	var tops = views.map(function (view) { return parseFloat(/,([-0-9.]+)/.exec(view.group.getAttribute("transform"))[1]); });
	var end = parseFloat(svg.getAttribute("height"));
	views.forEach(function (view, i) {
		view.drawnTop = tops[i];
		view.drawnHeight = (i + 1 < tops.length ? tops[i + 1] : end) - tops[i];
	});
}

function listen() {
	svg.addEventListener("click", function (event) {
		var frame = frameOf(event.target);
		if (!frame) return;
		focus(frame);
		zoom(frame);
	});
	svg.addEventListener("mouseover", function (event) {
		var frame = frameOf(event.target);
		if (frame) describe(frame);
	});
	svg.addEventListener("mouseout", function (event) {
		if (frameOf(event.target) && !field.hasAttribute("aria-invalid")) sayMatched();
	});
	svg.addEventListener("focusin", function (event) {
		var frame = frameOf(event.target);
		if (frame && frame !== focused) focus(frame);
	});
	window.addEventListener("keydown", onKey);
	window.addEventListener("hashchange", readAddress);
	window.addEventListener("popstate", readAddress);
	window.addEventListener("resize", function () { breakLines(); placeViews(); writeNames(); });
	window.addEventListener("scroll", placeBar);
}

views = Array.from(svg.querySelectorAll(".view"), readView);
measureViews();
buildBar();
svg.setAttribute("width", "100%");
breakLines();
listen();
readAddress();
}());
