import type { LabRequest } from './lab-request.ts'
import { parseHeaderLines, toLabRequest } from './read-http-request.ts'

/**
 * Reads a lab request from `curl -v` output: its > lines, and the body from the curl command before them, if present.
 */
export const readCurlOutput = (text: string): LabRequest | undefined => {
  const sent = Array.from(text.matchAll(/^> ?(.*?)\r?$/gm), ([, line = '']) => line)
  const [, method, address] = /^([A-Z]{3,10}) +(\S+)/.exec(sent[0] ?? '') ?? []
  if (method === undefined || address === undefined) return undefined
  const command = commandIn(text)
  const data = command === undefined ? undefined : dataOf(words(command))
  const date = /^< ?date: *(.*?)\r?$/im.exec(text)?.[1]
  return toLabRequest(method, address, parseHeaderLines(sent.slice(1)), Buffer.from(data ?? ''), Date.parse(date ?? ''))
}

/** Returns the curl command at the start of a `curl -v` transcript. */
const commandIn = (text: string): string | undefined => {
  const { index, 0: prompt = '' } = /^[^\w\n]*(?=curl\s)/m.exec(text) ?? {}
  const rest = index === undefined ? '' : text.slice(index + prompt.length)
  const end = rest.search(/^[*<>{}]/m)
  return end < 0 ? undefined : rest.slice(0, end)
}

/** Reads a lab request from a curl command; undefined where it is none or has no URL. */
export const readCurlCommand = (text: string): LabRequest | undefined => {
  const all = words(text.replace(/^\W*(?=curl\s)/, ''))
  if (all[0] !== 'curl') return undefined
  const headers = valuesOf(all, ['-H', '--header'])
  const data = dataOf(all)
  const address =
    valuesOf(all, ['--url'])[0] ?? all.find((word, at) => /^https?:\/\//.test(word) && !takesValue(all[at - 1]))
  if (address === undefined) return undefined
  const method = valuesOf(all, ['-X', '--request'])[0] ?? (data === undefined ? 'GET' : 'POST')
  const body = Buffer.from(data ?? '')
  const lines = headers.map(line => Buffer.from(line).toString('latin1'))
  const hasLength = headers.some(line => /^content-length:/i.test(line))
  const length = data === undefined || hasLength ? [] : [`Content-Length: ${body.length}`]
  return toLabRequest(method, address, parseHeaderLines([...lines, ...length]), body)
}

const DATA = ['-d', '--data', '--data-binary', '--data-raw', '--data-ascii', '--json']

/** Returns the body that a curl command sends; empty where it comes from a file; undefined without one. */
const dataOf = (all: readonly string[]): string | undefined => {
  const data = valuesOf(all, DATA)
  return data.length === 0 ? undefined : data.filter(text => !text.startsWith('@')).join('&')
}

const valuesOf = (all: readonly string[], names: readonly string[]): string[] =>
  all.flatMap((word, at) => {
    if (at > 0 && names.includes(all[at - 1] ?? '')) return [word]
    const [, name = '', value] = /^(--[a-z-]+)=(.*)$/s.exec(word) ?? /^(-[A-Za-z])(.+)$/s.exec(word) ?? []
    return value !== undefined && names.includes(name) ? [value] : []
  })

const takesValue = (word: string | undefined): boolean =>
  word !== undefined && [...DATA, '-H', '--header', '-x', '--proxy', '-e', '--referer'].includes(word)

/** Splits a shell command into words and removes quotes. */
const words = (command: string): string[] => {
  const found = command
    .replaceAll(/\\\r?\n/g, ' ')
    .matchAll(/(?:\$'(?:[^'\\]|\\[\s\S])*'|'[^']*'|"(?:[^"\\]|\\[\s\S])*"|\\.|[^\s'"\\])+/g)
  return Array.from(found, ([word]) => unquoted(word))
}

const ESCAPES: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t' }

const unquoted = (word: string): string =>
  word.replaceAll(
    /\$'((?:[^'\\]|\\[\s\S])*)'|'([^']*)'|"((?:[^"\\]|\\[\s\S])*)"|\\(.)/g,
    (_, ansi?: string, single?: string, double?: string, escaped?: string) =>
      ansi?.replaceAll(/\\(?:u([0-9a-f]{4})|([\s\S]))/gi, (_all, hex, letter) =>
        hex ? String.fromCharCode(Number.parseInt(hex, 16)) : (ESCAPES[letter] ?? letter),
      ) ??
      single ??
      double?.replaceAll(/\\([\\"$`])/g, '$1') ??
      escaped ??
      '',
  )
