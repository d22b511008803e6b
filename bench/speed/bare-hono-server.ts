import { randomUUID } from 'node:crypto'
import { serve } from '@hono/node-server'
import { Hono } from 'hono'
import { prepareInsert } from './prepared-insert.ts'

// Reference server for Assay without security layers: the same framework, one insert per call, no rule of the contract.

type BareServerSettings = { database: string }

process.once('message', ({ database }: BareServerSettings) => {
  const save = prepareInsert(database)
  const app = new Hono()
  app.post('/payments/initiate', async context => {
    const body = await context.req.json()
    const id = randomUUID()
    save(id, context.req.header('idempotency-key') ?? '', JSON.stringify(body))
    return context.json({ transactionId: id, ...body })
  })
  serve({ fetch: app.fetch, port: 0, hostname: '127.0.0.1' }, ({ port }) => process.send?.(port))
})
