import { readFileSync } from 'node:fs'
import { parse } from 'yaml'
import { OPERATION_NAMES, operationAddress } from '../../contracts/operations.ts'

/** A request that a stranger sends: to the port of the pages or of the API, as raw HTTP. */
export type StrangerRequest = { name: string; port: 'pages' | 'api'; raw: string }

const PAGES = [
  ...['/', '/health', '/ready', '/openapi.yaml', '/nothing', '/portal', '/portal/sign-in', '/portal/organizations'],
  ...[
    '/blik',
    '/blik/demo-merchant',
    '/blik/demo-merchant/phones/x',
    '/iris/x',
    '/iris/x/stream',
    '/portal/demo-merchant',
  ],
]

/**
 * Lists requests to every route of pages, control and API by somebody without a token or a certificate, and malformed
 * ones.
 */
export const strangerRequests = (): StrangerRequest[] => {
  const control = parse(readFileSync(new URL('../../simulator/control/openapi.yaml', import.meta.url), 'utf8'))
  const methods = ['get', 'post', 'put', 'patch', 'delete']
  const routes = Object.entries(control.paths as Record<string, object>).flatMap(([path, item]) =>
    methods.filter(method => method in item).map(method => [method.toUpperCase(), path] as const),
  )
  return [
    ...PAGES.map(path => requestTo('pages', 'GET', path)),
    requestTo('pages', 'POST', '/portal/sign-in', 'token=wrong'),
    requestTo('pages', 'POST', '/blik/demo-merchant/phones', 'bank=none'),
    requestTo('pages', 'POST', '/control/organizations', '{"id":"stranger"}'),
    ...routes.map(([method, path]) =>
      requestTo(
        'pages',
        method,
        (path.startsWith('/control') ? path : `/control${path}`).replace(/\{\w+\}/g, 'demo-merchant'),
      ),
    ),
    ...OPERATION_NAMES.map(name => {
      const { method, path } = operationAddress(name)
      return requestTo('api', method, path.replace(/\{\w+\}/g, 'x'), method === 'POST' ? '{}' : undefined)
    }),
    { name: 'malformed, pages', port: 'pages', raw: 'GET / HTTP/9.9\r\n\r\n' },
    { name: 'malformed, API', port: 'api', raw: 'GET / HTTP/9.9\r\n\r\n' },
    { name: 'bare lines', port: 'pages', raw: 'GET / HTTP/1.1\r\nHost: localhost\r\n\r\n' },
  ]
}

const requestTo = (port: StrangerRequest['port'], method: string, path: string, body?: string): StrangerRequest => {
  const sent = body === undefined ? '\r\n' : `Content-Length: ${body.length}\r\n\r\n${body}`
  return { name: `${method} ${path}`, port, raw: `${method} ${path} HTTP/1.1\r\nHost: localhost\r\n${sent}` }
}
