import type { Resolve, Schema } from './message-schema.ts'

/** Translates the examples of an OpenAPI media type object to a dialect, each with its summary. */
export const spokenExamples = (media: Schema, resolve: Resolve, write: (value: unknown) => unknown): Schema => {
  const { example, examples } = media as { example?: unknown; examples?: Schema }
  if (example !== undefined) return { example: write(example) }
  if (!examples) return {}
  return {
    examples: Object.fromEntries(
      Object.entries(examples).map(([name, node]) => {
        const { summary, value } = resolve(node)
        return [name, { summary, value: write(value) }]
      }),
    ),
  }
}
