export type * from "./data.js";
export type * from "./page.js";
export { renderPage } from "./render.js";
export { isStartsFile, titleOf } from "./results/files.js";
export { siteFolder } from "./site-folder.js";
