import { fileURLToPath } from "node:url";

export type { SiteReply } from "./client/site-source.js";
export type * from "./data.js";
export { followLine, type Step } from "./logic/moves.js";
export type * from "./page.js";
export { renderPage } from "./render.js";
export { addressOfFile, startsAddress, titleOf } from "./results/files.js";

/** The folder of `app.js`, `app.css`, `theme.js` and `favicon.svg`, served below `/site/`. */
export const siteFolder: string = fileURLToPath(new URL("../site", import.meta.url));
