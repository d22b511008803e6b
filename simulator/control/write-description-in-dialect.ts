import { readFileSync } from 'node:fs'
import { parentPort, workerData } from 'node:worker_threads'
import { parse, stringify } from 'yaml'
import { dialectOpenApi } from '../../contracts/dialect/openapi/dialect-openapi.ts'
import { meaningOfChoice } from '../../contracts/read-decisions-table.ts'

// Thread that writes the OpenAPI document of the payment API in the dialect whose lines it is given, and posts its text.

const own = parse(readFileSync(new URL('../../contracts/openapi.yaml', import.meta.url), 'utf8'))
const document = dialectOpenApi(workerData, own, meaningOfChoice)
parentPort?.postMessage(stringify(document, { aliasDuplicateObjects: false, lineWidth: 120 }))
