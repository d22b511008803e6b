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

const due = new Set() // ids
const served = new WeakMap()
let isBusy = false

const parts = () => [...document.querySelectorAll('[data-live]')]
const isRead = part => getSelection().type === 'Range' && part.contains(getSelection().anchorNode)

for (const part of parts()) served.set(part, part.outerHTML)

/** Fetches the page once for all that has changed, at most once in a second, and replaces the parts that differ; one that is being read waits. */
async function refresh() {
  const ready = parts().filter(part => due.has(part.id) && !isRead(part))
  if (isBusy || ready.length === 0) return
  isBusy = true
  for (const { id } of ready) due.delete(id)
  try {
    const answer = await fetch(location.href)
    const page = new DOMParser().parseFromString(answer.ok ? await answer.text() : '', 'text/html')
    for (const part of parts()) {
      const fresh = page.getElementById(part.id)
      if (!fresh || served.get(part) === fresh.outerHTML) continue
      if (isRead(part)) due.add(part.id)
      else replace(part, fresh)
    }
  } catch {
    // The server may be restarting: the stream tells when it is back.
  }
  setTimeout(() => {
    isBusy = false
    refresh()
  }, REFRESH_GAP_MS)
}

/** Replaces a part of the page; what was opened or closed in it stays so, and what had the focus keeps it. */
function replace(part, fresh) {
  served.set(fresh, fresh.outerHTML)
  for (const details of fresh.querySelectorAll('details')) {
    const before = [...part.querySelectorAll('details')].find(one => nameOf(one) === nameOf(details))
    if (before) details.open = before.open
  }
  const same = part.contains(document.activeElement) && samePlace(document.activeElement, fresh)
  part.replaceWith(fresh)
  if (same) same.focus({ preventScroll: true })
}

const nameOf = details => details.id || details.firstElementChild.textContent
const keyOf = element =>
  element.getAttribute('href') ??
  (element.form ? `${element.form.action} ${element.name} ${element.getAttribute('value')}` : element.textContent)
const samePlace = (focused, fresh) =>
  [...fresh.querySelectorAll(focused.tagName)].find(element => keyOf(element) === keyOf(focused))

addEventListener('changed', ({ detail: topics }) => {
  for (const { id, dataset } of parts()) if (dataset.live.split(' ').some(topic => topics.includes(topic))) due.add(id)
  refresh()
})
document.addEventListener('selectionchange', refresh)
