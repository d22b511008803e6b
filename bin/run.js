#!/usr/bin/env node
// Runs a TypeScript file of this clone with the Node that "npm ci" installed, else with this one: node bin/run.js FILE [ARGUMENTS]
import { installedNode, isNewEnough, newerNodeSentence, runWith } from './run-with-newer-node.js'

const node = installedNode() ?? (isNewEnough() ? process.execPath : undefined)
if (node) process.exitCode = await runWith(node, process.argv.slice(2))
else {
  process.stderr.write(`${newerNodeSentence()}\n`)
  process.exitCode = 2
}
