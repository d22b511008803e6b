// Script of the portal: refreshes what the stream says has changed, sends a form once in a moment, marks a copied text. Everything works without it.

const COPIED_MS = 1500
const REFRESH_GAP_MS = 1000
const SENT_MS = 5000

document.querySelector('.rail [aria-current]')?.scrollIntoView({ block: 'nearest', inline: 'center' })

// A message is of the form that led here: a reload, or a link to this address, does not say it again.
const here = new URL(location.href)
for (const name of ['done', 'made', 'ran']) if (here.searchParams.has(name)) here.searchParams.delete(name)
if (here.href !== location.href) history.replaceState(history.state, '', here)

document.addEventListener('submit', event => {
  const form = event.target
  if (event.defaultPrevented || form.getAttribute('method') !== 'post') return
  if ('sent' in form.dataset) {
    event.preventDefault()
    return event.stopPropagation() // the page is on its way elsewhere all the same
  }
  form.dataset.sent = ''
  setTimeout(() => mayBeSentAgain(form), SENT_MS)
})

/** Lets a form be sent again where its page is still there: the browser was told to stop, or began a download. */
function mayBeSentAgain(form) {
  delete form.dataset.sent
  refresh()
}

// A page that comes back from the browser's memory may be used again.
addEventListener('pageshow', ({ persisted }) => {
  if (!persisted) return
  document.querySelectorAll('[data-sent]').forEach(mayBeSentAgain)
})

// The copying itself is of copy-buttons.js: here it is only shown for a moment.
document.addEventListener('copied', ({ target: button }) => {
  button.classList.add('copied')
  setTimeout(() => button.classList.remove('copied'), COPIED_MS)
})

// A part of a page names the topics that it shows in data-live, and has an id by which it is found in the page as it is now.

const due = new Set() // ids
const served = new WeakMap()
let isBusy = false

const parts = () => [...document.querySelectorAll('[data-live]')]
const isInUse = part =>
  part.querySelector('[data-sent], .card-of-mark:hover') ||
  (getSelection().type === 'Range' && part.contains(getSelection().anchorNode))

for (const part of parts()) served.set(part, part.outerHTML)

/** Fetches the page once for all that has changed, at most once in a second, and replaces the parts that differ; one that is being read waits, and so does all while the server has no answer. */
async function refresh() {
  const ready = parts().filter(part => due.has(part.id) && !isInUse(part))
  if (isBusy || ready.length === 0) return
  isBusy = true
  for (const { id } of ready) due.delete(id)
  try {
    const answer = await fetch(location.href)
    if (answer.status >= 500 || answer.status === 429) throw new Error(answer.statusText)
    const page = new DOMParser().parseFromString(answer.ok ? await answer.text() : '', 'text/html')
    for (const part of parts()) {
      const fresh = page.getElementById(part.id)
      if (!fresh || served.get(part) === fresh.outerHTML) continue
      if (isInUse(part)) due.add(part.id)
      else replace(part, fresh)
    }
  } catch {
    for (const { id } of ready) due.add(id)
  }
  setTimeout(() => {
    isBusy = false
    refresh()
  }, REFRESH_GAP_MS)
}

/** Replaces a part of the page; what was opened, closed or scrolled in it stays so, and what had the focus keeps it, or else the part has it. */
function replace(part, fresh) {
  served.set(fresh, fresh.outerHTML)
  for (const details of part.querySelectorAll('details')) {
    const same = sameIn(fresh, details, part)
    if (same) same.open = details.open
  }
  const focused = part.contains(document.activeElement) && document.activeElement
  const next = focused && (sameIn(fresh, focused, part) ?? fresh)
  const scrolled = [...part.querySelectorAll('[tabindex]')].flatMap(one => {
    const same = (one.scrollLeft || one.scrollTop) && sameIn(fresh, one, part)
    return same ? [[same, one.scrollLeft, one.scrollTop]] : []
  })
  part.replaceWith(fresh)
  for (const [one, left, top] of scrolled) one.scrollTo(left, top)
  if (next === fresh) fresh.tabIndex = -1
  if (next) next.focus({ preventScroll: true })
}

/** The one element that is in a part what another is in the part before; undefined where several may be. */
function sameIn(fresh, element, part) {
  const key = keyOf(element)
  const [all, only] = [part, fresh].map(one =>
    [...one.querySelectorAll(element.tagName)].filter(other => keyOf(other) === key),
  )
  return all.length === 1 && only.length === 1 ? only[0] : undefined
}

/** What tells an element from others of its part, however many come and go: where it leads, what it copies or sends, its label, and its row. */
function keyOf(element) {
  const form = element.form ?? element.querySelector('form')
  const sent =
    form && [form, ...form.querySelectorAll('[type=hidden]')].map(one => one.getAttribute('action') ?? one.value)
  const own = element.id || addressOf(element) || element.getAttribute('aria-label')
  const near = element.closest('tr, li, svg, [id]')
  const row = near?.matches('[data-live]') ? undefined : near // what is around the part is not of it
  const first = row?.querySelector('[href], [data-copy]')
  return JSON.stringify([
    ...[element.tagName, own, sent, element.name, element.getAttribute('value')],
    ...[
      row?.id,
      row?.getAttribute('class'),
      first && addressOf(first),
      own || sent ? '' : (element.querySelector('summary') ?? element).textContent,
    ],
  ])
}

const addressOf = element => element.getAttribute('href') ?? element.dataset.copy

addEventListener('changed', ({ detail: topics }) => {
  for (const { id, dataset } of parts()) if (dataset.live.split(' ').some(topic => topics.includes(topic))) due.add(id)
  refresh()
})
document.addEventListener('selectionchange', refresh)
document.addEventListener('mouseout', refresh) // from a card that was pointed at
