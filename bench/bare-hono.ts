import { randomUUID } from 'node:crypto'
import { serve } from '@hono/node-server'
import { Hono } from 'hono'
import { insertInto } from './insert-into.ts'

// The measure for Assay without its layers: the same framework, one insert a call, no rule of the contract at all.

export type BareSettings = { database: string }

process.once('message', ({ database }: BareSettings) => {
  const save = insertInto(database)
  const app = new Hono()
  app.post('/payments/initiate', async context => {
    const body = await context.req.json()
    const id = randomUUID()
    save(id, context.req.header('idempotency-key') ?? '', JSON.stringify(body))
    return context.json({ transactionId: id, ...body })
  })
  serve({ fetch: app.fetch, port: 0, hostname: '127.0.0.1' }, ({ port }) => process.send?.(port))
})
