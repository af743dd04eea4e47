// Keeps the files of the site, so that it works without a network after the first visit. The names of the files to
// load at once, and a version that changes with any file, stand in `files.json`.
const FILES = "site/files.json";
/** Begins the names of the caches of this site: its host may have other sites, which keep caches of their own. */
const OURS = `gridlock ${registration.scope} `;

/** Lists the names of the caches of this site. */
async function cacheNames() {
  return (await caches.keys()).filter((name) => name.startsWith(OURS));
}

async function install() {
  const { version, first } = await (await fetch(FILES, { cache: "no-cache" })).json();
  const current = `${OURS}${version}`;
  const cache = await caches.open(current);
  await cache.addAll(first);
  for (const name of await cacheNames()) if (name !== current) await caches.delete(name);
}

/** Answers from the network, or without one from what is kept. A page is kept without the board in its address. */
async function answer(request) {
  const { origin, pathname } = new URL(request.url);
  const key = `${origin}${pathname}`;
  const [name] = await cacheNames();
  const cache = await caches.open(name ?? OURS);
  try {
    const response = await fetch(request);
    if (response.ok) await cache.put(key, response.clone());
    return response;
  } catch (error) {
    const kept = await cache.match(key);
    if (kept) return kept;
    throw error;
  }
}

addEventListener("install", (event) => {
  skipWaiting();
  event.waitUntil(install());
});
addEventListener("activate", (event) => event.waitUntil(clients.claim()));
addEventListener("fetch", (event) => {
  const isOurs = event.request.method === "GET" && event.request.url.startsWith(registration.scope);
  if (isOurs) event.respondWith(answer(event.request));
});
