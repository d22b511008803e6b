// Script of the journal page: adds new calls live, filters while typing, opens a call in place. The page works without it.

const MOST_LINES = 500
const AT_ONCE = 200
const TYPING_MS = 200

const list = document.querySelector('.calls')
const form = document.querySelector('.filter-form')
const told = document.querySelector('.live')
const heard = document.querySelector('main [role=status].unseen')
const pause = document.querySelector('[data-pause]')
const older = document.querySelector('[rel=next]')

let paused = false
let waiting = []
let asking = false
let askAgain = false
let broken = false

const lines = () => [...list.querySelectorAll('.jc')]
const say = text => {
  told.hidden = false
  told.textContent = text
}

const follows = () => 'follow' in list.dataset

function showConnection() {
  const { connection } = document.documentElement.dataset
  if (!follows() || !connection) return
  const changed = broken !== (connection === 'broken')
  broken = connection === 'broken'
  told.classList.toggle('broken', broken)
  if (paused && !broken) tellWaiting()
  else say(broken ? told.dataset.broken : told.dataset.liveNow)
  if (changed) heard.textContent = broken ? told.dataset.broken : told.dataset.liveNow
}

/** Says to screen readers what a filter found. */
function tellFound() {
  const text = older.hidden ? heard.dataset.found : heard.dataset.foundMore
  const { length } = list.children
  heard.textContent = length > 0 ? text.replace('{count}', length) : document.querySelector('.nothing').textContent
}

/** Fetches the calls behind the newest that is known, so that none is missed and none comes twice. */
async function ask() {
  askAgain = asking
  if (asking || !follows()) return
  asking = true
  try {
    const { query, after, base } = list.dataset
    const answer = await fetch(
      `${base}?${new URLSearchParams([...new URLSearchParams(query), ['after', after], ['limit', MOST_LINES]])}`,
    )
    const page = new DOMParser().parseFromString(answer.ok ? await answer.text() : '', 'text/html')
    const news = page.querySelector('.calls')
    if (news && list.dataset.after === after && list.dataset.query === query) arrive(news)
  } catch {
    // The server may be restarting: the stream tells when it is back.
  }
  asking = false
  if (askAgain) ask()
}

/** Takes new calls, the newest first; where more came than a journal holds lines, the list begins anew. */
function arrive(news) {
  if (news.children.length === 0) return
  list.dataset.after = news.dataset.after
  if ('more' in news.dataset) letGo([...list.children])
  waiting = [...news.children, ...waiting].slice(0, MOST_LINES)
  if (paused) tellWaiting()
  else show()
}

const tellWaiting = () => say(list.dataset.waiting.replace('{count}', waiting.length))

function show() {
  for (const item of waiting) item.classList.add('fresh')
  list.prepend(...waiting)
  waiting = []
  letGo([...list.children].slice(MOST_LINES))
  document.querySelector('.nothing').hidden = list.children.length > 0
}

function letGo(items) {
  for (const item of items) item.remove()
  if (items.length > 0) older.hidden = false
}

pause.hidden = !follows()
pause.addEventListener('click', () => {
  paused = !paused
  pause.textContent = paused ? pause.dataset.goOn : pause.dataset.pause
  if (paused) return
  say(told.dataset.liveNow)
  show()
})

let turning

/** The page of a filter or of older calls, put in the place of what is shown, or below it; of several filters the last one's. */
async function turnTo(address, below) {
  if (below && turning) return
  turning?.abort()
  const turn = new AbortController()
  turning = turn
  try {
    const answer = await fetch(address, { signal: turn.signal })
    if (!answer.ok) return location.assign(address)
    put(new DOMParser().parseFromString(await answer.text(), 'text/html'), below)
  } catch {
    if (!turn.signal.aborted) location.assign(address)
  } finally {
    if (turning === turn) turning = undefined
  }
}

/** Takes the calls of a page; what is typed as a filter and is none yet leaves those before, with the reason. */
function put(page, below) {
  const [fresh, refusal] = ['.calls', '.outcome.bad'].map(part => page.querySelector(part))
  if (!below) {
    document.querySelector('.outcome.bad')?.remove()
    markWrong(page)
  }
  if (refusal) return document.querySelector('.filter').before(refusal)
  if (below) list.append(...fresh.children)
  else {
    list.replaceChildren(...fresh.children)
    for (const name of ['query', 'after']) list.dataset[name] = fresh.dataset[name]
    for (const part of ['.nothing', '.filter', '[download$=".har"]'])
      document.querySelector(part).replaceWith(page.querySelector(part))
    document.querySelector('.curl').replaceChildren(...page.querySelector('.curl').children)
    list.toggleAttribute('data-follow', 'follow' in fresh.dataset)
    document.querySelector('[data-testid=journal-newest]')?.remove()
    pause.hidden = !follows()
    waiting = []
    if (paused) tellWaiting()
    else showConnection()
  }
  older.hidden = page.querySelector('[rel=next]').hidden
  tellFound()
}

/** Marks and describes the fields of the filter as a page does, without touching what is typed. */
function markWrong(page) {
  for (const field of document.querySelectorAll('.filter-form [id]'))
    for (const name of ['aria-invalid', 'aria-describedby']) {
      const value = page.getElementById(field.id)?.getAttribute(name)
      if (value) field.setAttribute(name, value)
      else field.removeAttribute(name)
    }
}

/** The address of the calls behind the last line, which is not the one that the page came with: a list lets old lines go. */
function olderAddress() {
  const address = new URL(older.href)
  address.search = new URLSearchParams([
    ...new URLSearchParams(list.dataset.query),
    ['before', lines().at(-1)?.href.split('/').at(-1) ?? ''],
    ['limit', AT_ONCE],
  ])
  return address
}

let typing
form.addEventListener('input', () => {
  clearTimeout(typing)
  typing = setTimeout(filter, TYPING_MS)
})
form.addEventListener('submit', event => {
  event.preventDefault()
  clearTimeout(typing)
  filter()
})

async function filter() {
  const given = [...new FormData(form)].filter(([, value]) => value.trim() !== '')
  const query = new URLSearchParams(given)
  const address = query.size === 0 ? form.action : `${form.action}?${query}`
  filtered = address
  history.replaceState(null, '', address)
  await turnTo(address, false)
}

const pageTitle = [document.querySelector('h1').textContent, document.title.split(' · ').at(-1)].join(' · ')
let filtered = location.href

/** Both sides of a call below its line; the call that was opened last is in the address, with its title. */
async function toggle(line) {
  const item = line.parentElement
  const open = item.querySelector('.call')
  if (open) {
    open.remove()
    line.setAttribute('aria-expanded', false)
    return nameInAddress(list.querySelector('.jc[aria-expanded=true]'))
  }
  const page = await fetch(line.href).then(
    async answer => new DOMParser().parseFromString(await answer.text(), 'text/html'),
    () => undefined,
  )
  const call = page?.querySelector('.call') ?? page?.querySelector('main .lead')
  if (!call) return location.assign(line.href)
  call.removeAttribute('id')
  item.dataset.title = page.title
  if (!item.isConnected) return
  line.setAttribute('aria-expanded', true)
  if (!item.querySelector('.call')) item.append(call)
  nameInAddress(line)
}

function nameInAddress(line) {
  const address = new URL(filtered, location.href)
  address.searchParams.delete('call')
  if (line) address.searchParams.set('call', line.href.split('/').at(-1))
  history.replaceState(null, '', address)
  document.title = line?.parentElement.dataset.title ?? pageTitle
}

document.addEventListener('click', event => {
  const held = event.ctrlKey || event.metaKey || event.shiftKey
  const line = event.target.closest('.calls .jc')
  const more = event.target.closest('[rel=next]')
  if (held || (!line && !more)) return
  event.preventDefault()
  if (line) toggle(line)
  else turnTo(olderAddress(), true)
})

const KEYS = { '/': () => form.elements.q.focus(), j: () => step(1), k: () => step(-1) }

function step(by) {
  const all = lines()
  const at = all.indexOf(document.activeElement?.closest('.calls li')?.querySelector('.jc'))
  all[Math.max(0, Math.min(all.length - 1, at + by))]?.focus()
}

document.addEventListener('keydown', event => {
  if (event.key === 'Escape' && event.target === form.elements.q) return event.target.blur()
  if (event.ctrlKey || event.metaKey || event.altKey || !event.target.closest('.calls')) return
  const act = KEYS[event.key]
  if (!act) return
  event.preventDefault()
  act()
})

addEventListener('changed', ({ detail: topics }) => topics.includes('calls') && ask())
addEventListener('connection', showConnection)
showConnection()
