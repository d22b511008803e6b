// Script of the portal: refreshes what the stream says has changed, marks a copied text. Everything works without it.

const COPIED_MS = 1500
const REFRESH_GAP_MS = 1000

document.querySelector('.rail [aria-current]')?.scrollIntoView({ block: 'nearest', inline: 'center' })

// The copying itself is of pages.js, which every page has: here it is only shown for a moment.
document.addEventListener('copied', ({ target: button }) => {
  button.classList.add('copied')
  setTimeout(() => button.classList.remove('copied'), COPIED_MS)
})

// A part of a page names the topics that it shows in data-live, and has an id by which it is found in the page as it is now.

const due = new Set()
const served = new WeakMap()
let isBusy = false

const parts = () => [...document.querySelectorAll('[data-live]')]
const isDue = part => part.dataset.live.split(' ').some(topic => due.has(topic))
const isRead = part => getSelection().type === 'Range' && part.contains(getSelection().anchorNode)

for (const part of parts()) served.set(part, part.outerHTML)

/** Fetches the page once for all that has changed, at most once in a second, and replaces the parts that differ. */
async function refresh() {
  if (isBusy || !parts().some(part => isDue(part) && !isRead(part))) return
  isBusy = true
  const waiting = parts().filter(part => isDue(part) && isRead(part))
  due.clear()
  try {
    const answer = await fetch(location.href)
    const page = new DOMParser().parseFromString(answer.ok ? await answer.text() : '', 'text/html')
    for (const part of parts()) {
      const fresh = page.getElementById(part.id)
      if (fresh && !waiting.includes(part) && served.get(part) !== fresh.outerHTML) replace(part, fresh)
    }
  } catch {
    // The server may be restarting: the stream tells when it is back.
  }
  for (const part of waiting) for (const topic of part.dataset.live.split(' ')) due.add(topic)
  setTimeout(() => {
    isBusy = false
    refresh()
  }, REFRESH_GAP_MS)
}

/** Replaces a part of the page; what was opened in it stays open, and what had the focus keeps it. */
function replace(part, fresh) {
  served.set(fresh, fresh.outerHTML)
  const open = [...part.querySelectorAll('details[open] > summary')].map(({ textContent }) => textContent)
  for (const summary of fresh.querySelectorAll('summary'))
    if (open.includes(summary.textContent)) summary.parentElement.open = true
  const same = part.contains(document.activeElement) && samePlace(document.activeElement, fresh)
  part.replaceWith(fresh)
  if (same) same.focus({ preventScroll: true })
}

const keyOf = element =>
  element.getAttribute('href') ??
  (element.form ? `${element.form.action} ${element.name} ${element.getAttribute('value')}` : element.textContent)
const samePlace = (focused, fresh) =>
  [...fresh.querySelectorAll(focused.tagName)].find(element => keyOf(element) === keyOf(focused))

addEventListener('changed', ({ detail: topics }) => {
  for (const topic of topics) due.add(topic)
  refresh()
})
document.addEventListener('selectionchange', refresh)
