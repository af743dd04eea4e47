// Keeps the files of the site, so that it works without a network after the first visit. The names
// of the files to load at once stand in `files.json`. Before this line, a site has that of its
// `VERSION`, which changes with any file: a browser takes a service worker for new if its bytes
// are.
const FILES = "site/files.json";
/** For pages not kept: that for missing files, whose own address some hosts treat differently. */
const LOST = "lost/";
/** Begins the names of this site's caches: its host may have other sites with their own caches. */
const OURS = `gridlock ${registration.scope} `;

const CURRENT = `${OURS}${VERSION}`;
/** Asks the host whether the browser's copy is the latest: files of two releases would not work. */
const LATEST = { cache: "no-cache" };

async function install() {
  const { version, first } = await (await fetch(FILES, LATEST)).json();
  // The host is being updated. The browser tries again at the next page.
  if (version !== VERSION) throw new Error(`${FILES} is of another release`);
  const cache = await caches.open(CURRENT);
  await cache.addAll(first.map((path) => new Request(path, LATEST)));
}

async function activate() {
  const names = (await caches.keys()).filter((name) => name.startsWith(OURS));
  for (const name of names) if (name !== CURRENT) await caches.delete(name);
  await clients.claim();
}

/** Answers from the network, or else from the cache, where a page's address lacks its board. */
async function answer(request) {
  const { origin, pathname } = new URL(request.url);
  const key = `${origin}${pathname}`;
  const cache = await caches.open(CURRENT);
  try {
    const response = await fetch(request, LATEST);
    if (response.ok) await cache.put(key, response.clone());
    return response;
  } catch (error) {
    const kept =
      (await cache.match(key)) ?? (request.mode === "navigate" && (await cache.match(LOST)));
    if (kept) return kept;
    throw error;
  }
}

addEventListener("install", (event) => {
  skipWaiting();
  event.waitUntil(install());
});
addEventListener("activate", (event) => event.waitUntil(activate()));
addEventListener("fetch", (event) => {
  const isOurs = event.request.method === "GET" && event.request.url.startsWith(registration.scope);
  if (isOurs) event.respondWith(answer(event.request));
});
