// Keeps the files of the site, so that it works without a network after the first visit. The names of the files to
// load at once, and a version that changes with any file, stand in `files.json`.
const FILES = "site/files.json";

async function install() {
  const { version, first } = await (await fetch(FILES, { cache: "no-cache" })).json();
  const cache = await caches.open(version);
  await cache.addAll(first);
  for (const name of await caches.keys()) if (name !== version) await caches.delete(name);
}

/** Answers from the network, or without one from what is kept. A page is kept without the board in its address. */
async function answer(request) {
  const { origin, pathname } = new URL(request.url);
  const key = `${origin}${pathname}`;
  const [version] = await caches.keys();
  const cache = await caches.open(version ?? "none");
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
