import { Ajv2020 } from 'ajv/dist/2020.js'
import { isTooDeep } from '../nesting.ts'
import type { Shape } from './shape.ts'

const ajv = new Ajv2020({ formats: { url: value => URL.canParse(value) } })

/** What is wrong with a value that came from elsewhere, if something is; ajv compiles each shape once, when it is first needed. */
export const faultOf = (name: string, value: unknown, shape: Shape): string | undefined => {
  if (ajv.validate(shape, value))
    return shape.contentSchema ? faultInside(name, `${value}`, shape.contentSchema) : undefined
  const [fault] = ajv.errors ?? []
  return `${fault?.instancePath.slice(1, 60)}${fault?.instancePath && ' in '}${name} ${fault?.message}`
}

/** A body stands a level deeper in what is kept of it. */
const faultInside = (name: string, text: string, shape: Shape): string | undefined => {
  const value = readJson(text)
  if (value === undefined) return `${name} is no JSON`
  return isTooDeep(value, -1) ? `${name} is nested too deep` : faultOf(name, value, shape)
}

const readJson = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
