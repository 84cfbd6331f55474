#!/usr/bin/env node
/** The command `wharf`: runs the program of this platform, and ends as it ends. */

"use strict";

const { spawn } = require("node:child_process");
const { isatty } = require("node:tty");
const { programPath } = require("../program.js");

/** Prints why the program does not run, and ends with status 1. */
function refuse(reason) {
  process.stderr.write(`wharf: ${reason}\n`);
  process.exitCode = 1;
}

function run(path) {
  // The program stops when the channel closes. So it does not outlive this process, even if that is killed.
  const child = spawn(path, process.argv.slice(2), { stdio: ["inherit", "inherit", "inherit", "ipc"] });
  child.once("error", (error) => refuse(`${path} cannot run: ${error.message}`));

  const has_terminal = [0, 1, 2].some((fd) => isatty(fd));
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP", "SIGQUIT"]) {
    process.on(signal, () => {
      // A terminal sends Ctrl-C to the program, too. To some commands a second one means: end at once.
      if (signal !== "SIGINT" || !has_terminal) child.kill(signal);
    });
  }

  child.once("exit", (status, signal) => {
    process.exitCode = status;
    if (signal === null) return;
    process.removeAllListeners(signal);
    process.kill(process.pid, signal);
  });
}

let path;
try {
  path = programPath();
} catch (error) {
  refuse(error.message);
}
if (path !== undefined) run(path);
