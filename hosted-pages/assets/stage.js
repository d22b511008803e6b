// Script of the stage: types the phone's code into the shop, shows the timeline of the order, and plays a payment.

const LOOK_EVERY_MS = 400
const TYPE_EVERY_MS = 140
const LOOK_AT_LEAST_MS = 900
const PATIENCE_MS = 20_000
const PIN = '1234'

const frame = name => document.querySelector(`.stage-${name} iframe`)
const seen = (name, selector) => frame(name)?.contentDocument?.querySelector(selector)
const pause = milliseconds => new Promise(resolve => setTimeout(resolve, milliseconds))

/** Waits for an element of a frame, which may be on its way; undefined where it does not come. */
async function appears(name, selector) {
  const end = performance.now() + PATIENCE_MS
  while (performance.now() < end) {
    const element = seen(name, selector)
    if (element) return element
    await pause(100)
  }
}

async function type(field, text) {
  field.focus()
  for (let length = 1; length <= text.length; length += 1) {
    field.value = text.slice(0, length)
    await pause(TYPE_EVERY_MS)
  }
  field.dispatchEvent(new Event('input', { bubbles: true }))
}

const click = async button => {
  await pause(LOOK_AT_LEAST_MS)
  button?.click()
}

const digitsOnPhone = () => seen('phone', '[data-testid="blik-code"]')?.textContent.replace(/\D/g, '')

/** The steps of a payment, as a shopper takes them; each begins when the page before has come. */
async function play() {
  if (!seen('shop', '[data-testid="shop-code"]')) {
    if (!seen('shop', '[data-testid="shop-product"]')) frame('shop').src = document.querySelector('main').dataset.front
    await click(await appears('shop', '[data-testid="shop-product"]'))
  }
  const field = await appears('shop', '[data-testid="shop-code"]')
  const unchosen = seen('phone', '[data-testid="blik-own-phone"], button[data-testid^="blik-bank-"]')
  if (unchosen) await click(unchosen)
  if (!digitsOnPhone()) await click(await appears('phone', '[data-testid="blik-new-code"]'))
  await appears('phone', '[data-testid="blik-code"]')
  if (field) await type(field, digitsOnPhone() ?? '')
  await click(seen('shop', '[data-testid="shop-pay-blik"]'))
  const asked = await appears('phone', '[data-testid="blik-pin"], [data-testid="blik-waiting"]')
  if (asked?.dataset.testid === 'blik-waiting') await click(asked)
  const pin = await appears('phone', '[data-testid="blik-pin"]')
  await pause(LOOK_AT_LEAST_MS)
  if (pin) await type(pin, PIN)
  await click(seen('phone', '[data-testid="blik-approve"]'))
  await appears('shop', '[data-testid="shop-order"][data-state="paid"]')
}

/** Whether a payment is being played: the stage then leaves the code to that. */
let playing = false

/** The order for which the shop asked the shopper to pay: at a bank no page of the shop tells it. */
let asked

const isAtBank = () =>
  Boolean(
    frame('shop').contentWindow?.location.pathname.startsWith('/iris/') ||
      seen('shop', '[data-method="IRIS"] [data-state="waiting"]'),
  )

function orderInShop() {
  asked = seen('shop', '[name="order"]')?.value ?? asked
  const shown = seen('shop', '[data-order]')?.dataset.order
  return shown ?? (isAtBank() ? asked : undefined)
}

/** Shows the timeline of an order, which the address of the stage then holds: a reload, or a form, comes back to it. */
function showTimeline(order) {
  const wanted = `${document.querySelector('main').dataset.timeline}?order=${encodeURIComponent(order)}`
  if (frame('timeline').getAttribute('src') === wanted) return
  frame('timeline').src = wanted
  const address = new URL(location.href)
  address.searchParams.set('order', order)
  history.replaceState(null, '', address)
  document.querySelector('[name="to"]').value = address.pathname + address.search
}

function look() {
  const order = orderInShop()
  if (order) showTimeline(order)
  const atBank = isAtBank()
  document.querySelector('.stage-note').hidden = !atBank
  frame('phone').hidden = atBank
  const field = seen('shop', '[data-testid="shop-code"]')
  const digits = digitsOnPhone()
  if (playing || !field || !digits) return
  const { typed = '' } = field.dataset
  const code = `${digits.slice(0, 3)} ${digits.slice(3)}`
  if (field.value !== typed || typed === code) return // the shopper's own
  field.dataset.typed = code
  field.value = code
}

const button = document.querySelector('[data-play]')
const label = button.textContent
button.hidden = false
button.addEventListener('click', async () => {
  playing = true
  button.disabled = true
  button.textContent = button.dataset.playing
  await play().catch(() => {}) // somebody went elsewhere in a frame: the stage is there for the next try
  button.disabled = false
  button.textContent = label
  playing = false
})
setInterval(look, LOOK_EVERY_MS)
frame('shop').addEventListener('load', look)
