import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { extname } from 'node:path'
import { Worker } from 'node:worker_threads'
import type { Context, Hono } from 'hono'
import type { Dialect } from '../../contracts/dialect/dialect.ts'
import type { ControlPlaneFeatures } from '../compose-control-plane.ts'

const YAML = 'application/yaml; charset=utf-8'

/** Descriptions that were asked for; each is made once. */
const made = new WeakMap<Dialect, Promise<string>>()

/** Responds with the OpenAPI 3.1 document of the payment API in an organization's dialect. */
export const respondDescription = async (c: Context, dialect: Dialect): Promise<Response> => {
  const text = made.get(dialect) ?? describe(dialect)
  made.set(dialect, text)
  return c.body(await text, 200, { 'Content-Type': YAML })
}

/** The description in a dialect is written in a thread of its own: it takes 300 ms, for which nobody else waits. */
const describe = async ({ lines }: Dialect): Promise<string> => {
  if (Object.keys(lines).length === 0)
    return readFileSync(new URL('../../contracts/openapi.yaml', import.meta.url), 'utf8')
  const file = new URL(`./write-description-in-dialect${extname(import.meta.url)}`, import.meta.url)
  const [text] = await once(new Worker(file, { workerData: lines }), 'message')
  return text as string
}

/** Adds the route of control for the description of the payment API as an organization speaks it. */
export const addPaymentApiDescriptionRoute = (control: Hono, controlPlane: ControlPlaneFeatures): void => {
  control.get('/organizations/:organizationId/openapi.yaml', async c =>
    respondDescription(c, controlPlane.dialects.of(c.var.organizationId)),
  )
}
