/*
 * Puts the license into the package in the working folder, as it is published. npm runs this before it packs a package;
 * the copy is not under version control.
 */
import { copyFileSync } from "node:fs";

copyFileSync(new URL("../LICENSE", import.meta.url), "LICENSE");
