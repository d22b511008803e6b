// Script of the timeline page: shows the details of a mark, moves between marks by arrow keys.

const LEFT_MS = 200
const POINTED = '.card-of-mark:hover, .timeline .pt:hover'

const figure = () => document.querySelector('.timeline')
const card = () => document.querySelector('.card-of-mark')

let leaving

function tell(mark) {
  clearTimeout(leaving)
  const row = document.querySelector(mark.getAttribute('href'))
  if (!row) return
  const [time, , what, facts] = row.cells
  card().replaceChildren(
    ...[time.firstElementChild, what.firstElementChild, ...facts.querySelectorAll('span')].map(part =>
      part.cloneNode(true),
    ),
  )
  card().hidden = false
  const [around, place] = [figure().getBoundingClientRect(), mark.getBoundingClientRect()]
  const left = Math.min(place.left - around.left, around.width - card().offsetWidth - 8)
  const below = place.bottom - around.top + 8
  card().style.setProperty('left', `${Math.max(8, left)}px`)
  card().style.setProperty('top', `${below}px`)
}

const hide = () => {
  card().hidden = true
}

/** Hides the card a moment later, unless the pointer is on it or on a mark by then. */
function leave() {
  clearTimeout(leaving)
  leaving = setTimeout(() => document.querySelector(POINTED) || hide(), LEFT_MS)
}

for (const [event, act] of [
  ['focusin', tell],
  ['mouseover', tell],
  ['focusout', leave],
  ['mouseout', leave],
])
  document.addEventListener(event, ({ target }) => {
    const mark = target.closest?.('.timeline .pt')
    if (mark) act(mark)
    if (event === 'mouseout' && card().contains(target)) leave()
  })

const STEPS = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }

document.addEventListener('keydown', event => {
  const mark = event.target.closest?.('.timeline .pt')
  if (event.key === 'Escape') hide()
  if (!mark || !(event.key in STEPS)) return
  event.preventDefault()
  const all = [...mark.closest('svg').querySelectorAll('.pt')]
  const number = one => Number(one.getAttribute('href').slice(2))
  const ordered = all.sort((a, b) => number(a) - number(b))
  ordered[ordered.indexOf(mark) + STEPS[event.key]]?.focus()
})
