/** Length from which a known secret is sought anywhere in a text; a shorter one could match by coincidence. */
const MIN_SOUGHT_LENGTH = 16
/** Longest secret that is sought, and the most characters of all sought secrets together. */
const [MAX_SOUGHT_LENGTH, MAX_SOUGHT_TOTAL] = [65_536, 1_048_576]

/** Part of a text that is a secret: from `start` up to `end`. */
type Found = { start: number; end: number; secret: string }
type Node = { next: Map<number, Node>; depth: number; fail?: Node; secret?: string; ends?: Node }

/**
 * Creates a finder of many secrets in one pass (Aho and Corasick 1975): its time is that of the text and of the secrets,
 * whatever they have in common. Secrets that are too short or too long are not sought, nor any beyond its capacity.
 */
export const createSecretFinder = () => {
  const root: Node = { next: new Map(), depth: 0 }
  let total = 0
  let isLinked = true
  const add = (secret: string): void => {
    const { length } = secret
    if (length < MIN_SOUGHT_LENGTH || length > MAX_SOUGHT_LENGTH || total + length > MAX_SOUGHT_TOTAL) return
    total += length
    isLinked = false
    let node = root
    for (let at = 0; at < length; at += 1) node = childOf(node, secret.charCodeAt(at))
    node.secret = secret
  }
  const find = (text: string, isCut: boolean): Found[] => {
    if (!isLinked) link(root)
    isLinked = true
    const found: Found[] = []
    let node = root
    for (let at = 0; at < text.length; at += 1) {
      node = after(root, node, text.charCodeAt(at))
      const { secret } = node.ends ?? node
      if (secret !== undefined) keepUnion(found, { start: at + 1 - secret.length, end: at + 1, secret })
    }
    // A secret that the end of a cut text begins.
    if (isCut && node.depth >= MIN_SOUGHT_LENGTH)
      keepUnion(found, { start: text.length - node.depth, end: text.length, secret: text.slice(-node.depth) })
    return found
  }
  return {
    add,
    /** Replaces the secrets in a text; of those that overlap, the first gives the label. `isCut` where the text goes on. */
    replace: (text: string, labelOf: (secret: string) => string, isCut = false): string => {
      if (total === 0 || text.length < MIN_SOUGHT_LENGTH) return text
      let from = 0
      const parts = find(text, isCut).map(({ start, end, secret }) => {
        const part = text.slice(from, start) + labelOf(secret)
        from = end
        return part
      })
      return parts.length === 0 ? text : parts.join('') + text.slice(from)
    },
  }
}

const childOf = (node: Node, unit: number): Node => {
  const known = node.next.get(unit)
  if (known) return known
  const child: Node = { next: new Map(), depth: node.depth + 1 }
  node.next.set(unit, child)
  return child
}

/** The node of the longest beginning of a secret that a text ends with, one character later. */
const after = (root: Node, node: Node, unit: number): Node => {
  for (let at: Node | undefined = node; at; at = at.fail) {
    const next = at.next.get(unit)
    if (next) return next
  }
  return root
}

/** Links each node to the longest other beginning that it ends with, and to the longest secret that it ends with. */
const link = (root: Node): void => {
  const queue = [root]
  for (let at = 0; at < queue.length; at += 1) {
    const node = queue[at] as Node
    for (const [unit, child] of node.next) {
      child.fail = node === root ? root : after(root, node.fail ?? root, unit)
      const ends = child.secret === undefined ? (child.fail.ends ?? child.fail) : child
      if (ends.secret === undefined) delete child.ends
      else child.ends = ends
      queue.push(child)
    }
  }
}

/** Adds a part that ends later than all others; those that it overlaps are joined with it. */
const keepUnion = (found: Found[], part: Found): void => {
  let whole = part
  for (let last = found.at(-1); last && last.end > whole.start; last = found.at(-1)) {
    found.pop()
    if (last.start < whole.start) whole = { ...last, end: whole.end }
  }
  found.push(whole)
}
