export type { SiteReply, SiteRequest } from "./client/site-source.js";
export type * from "./data.js";
export type * from "./page.js";
export { renderPage } from "./render.js";
export { addressOfFile, titleOf } from "./results/files.js";
export { siteFolder } from "./site-folder.js";
