import { isTooDeep } from '../nesting.ts'

/** Whether a value that came from elsewhere is what it should be. */
export type Shape = (value: unknown) => boolean

export const text: Shape = value => typeof value === 'string'
export const yesOrNo: Shape = value => typeof value === 'boolean'
/** A whole number from nothing on: minor units, milliseconds, times of doing something. */
export const count: Shape = value => Number.isSafeInteger(value) && (value as number) >= 0
export const maybe =
  (shape: Shape): Shape =>
  value =>
    value === undefined || shape(value)
export const oneOf =
  (words: readonly unknown[]): Shape =>
  value =>
    words.includes(value)
export const listOf =
  (shape: Shape): Shape =>
  value =>
    Array.isArray(value) && value.every(shape)
export const either =
  (...shapes: readonly Shape[]): Shape =>
  value =>
    shapes.some(shape => shape(value))

const isObject = (value: unknown): value is Record<string, unknown> =>
  value !== null && typeof value === 'object' && !Array.isArray(value)

/** An object with whatever members, all of one shape. */
export const mapOf =
  (shape: Shape): Shape =>
  value =>
    isObject(value) && Object.values(value).every(shape)

/** An object with these members; a shape for every member that the type has, and others do no harm. */
export const objectOf =
  <Type>(members: { readonly [Name in keyof Required<Type>]: Shape }): Shape =>
  value =>
    isObject(value) && Object.entries<Shape>(members).every(([name, shape]) => shape(value[name]))

/** A text that is JSON of this shape; a body stands a level deeper in what is kept of it. */
export const jsonOf =
  (shape: Shape): Shape =>
  value => {
    try {
      const read: unknown = JSON.parse(String(value))
      return shape(read) && !isTooDeep(read, -1)
    } catch {
      return false
    }
  }
