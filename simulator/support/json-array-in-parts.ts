/** Generates the JSON text of an array whose items come one by one. */
export async function* toJsonArray<Item>(
  items: AsyncIterable<Item>,
  toJson: (item: Item) => unknown = item => item,
): AsyncGenerator<string> {
  let before = '['
  for await (const item of items) {
    yield before + JSON.stringify(toJson(item))
    before = ','
  }
  yield before === '[' ? '[]' : ']'
}

/** Generates the JSON text of an object with one member, an array whose items come one by one. */
export async function* toJsonMember<Item>(
  name: string,
  items: AsyncIterable<Item>,
  toJson?: (item: Item) => unknown,
): AsyncGenerator<string> {
  yield `{"${name}":`
  yield* toJsonArray(items, toJson)
  yield '}'
}
