import type { Page } from 'playwright'

/**
 * Finds words of a page in a browser test that are broken where no language breaks them, and texts that overflow their
 * box; and sideways scrolling.
 */
export const layoutFlaws = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const range = document.createRange()
    const isTorn = (text: Text, from: number, word: string) => {
      range.setStart(text, from)
      range.setEnd(text, from + word.length)
      return new Set(Array.from(range.getClientRects(), ({ top }) => Math.round(top))).size > 1
    }
    const tornIn = (text: Text, words = /[\p{L}_]{3,}/gu) =>
      [...text.data.matchAll(words)]
        .filter(({ 0: word }) => word.length <= 40) // no word, but a name that somebody gave
        .filter(({ 0: word }) => innerWidth >= 360 || word.length <= 20) // a card of the narrowest screen holds no longer one
        .filter(({ index, 0: word }) => isTorn(text, index, word))
        .map(([word]) => `${word} is torn`)

    const PARTS_OF_IDS = /(?<![\p{L}\p{N}])…?[\p{L}\p{N}]{2,16}(?![\p{L}\p{N}])/gu

    /** Up to the first box that cuts off or scrolls what is too wide for it. */
    const sticksOut = (text: Text) => {
      range.selectNodeContents(text)
      const { left, right } = range.getBoundingClientRect()
      for (let box = text.parentElement; box !== null; box = box.parentElement) {
        const [{ display, position, overflowX }, edges] = [getComputedStyle(box), box.getBoundingClientRect()]
        if (position === 'absolute' || overflowX === 'auto') return false
        if (['inline', 'contents'].includes(display)) continue
        if (right > edges.right + 1 || left < edges.left - 1) return true
        if (overflowX !== 'visible') return false
      }
      return false
    }

    const found = new Set<string>()
    const { scrollWidth } = document.documentElement
    if (scrollWidth > innerWidth) found.add(`is ${scrollWidth} px wide`)
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    for (let text = texts.nextNode() as Text | null; text !== null; text = texts.nextNode() as Text | null) {
      const of = text.parentElement
      if (!of?.checkVisibility({ contentVisibilityAuto: true }) || text.data.trim() === '') continue
      if (of.closest('script, style, svg, .unseen')) continue
      // What is copied, not read, may part anywhere.
      if (!of.closest('pre, .line, .id, .heads, textarea')) for (const torn of tornIn(text)) found.add(torn)
      // An id that is shown short, and the parts of a longer one or of an address, fit into any column of a table.
      if (of.closest('.data .id, .list .id')) for (const torn of tornIn(text, PARTS_OF_IDS)) found.add(torn)
      if (sticksOut(text)) found.add(`"${text.data.trim().slice(0, 40)}" sticks out`)
    }
    return [...found]
  })
