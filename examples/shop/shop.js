// Shows a code as three and three, sends a form once, and goes on when the order does.
for (const field of document.querySelectorAll('[data-blik]'))
  field.addEventListener('input', ({ inputType }) => {
    const digits = field.value.replace(/\D/g, '').slice(0, 6)
    const before = field.value.slice(0, field.selectionStart).replace(/\D/g, '').length
    field.value = digits.length > 3 ? `${digits.slice(0, 3)} ${digits.slice(3)}` : digits
    const inFirst = inputType === 'deleteContentForward' ? 2 : 3 // Delete passes the space, which comes back
    const caret = before > inFirst ? before + 1 : before
    field.setSelectionRange(caret, caret)
  })

for (const form of document.querySelectorAll('form[data-once]'))
  form.addEventListener('submit', event => {
    if (form.dataset.sent) event.preventDefault()
    form.dataset.sent = 'yes'
    form.querySelector('button').disabled = true
  })

const shown = document.querySelector('[data-order]')
if (shown && ['starting', 'waiting', 'unknown'].includes(shown.dataset.state)) {
  const look = async () => {
    const { state } = await (await fetch(`/orders/${shown.dataset.order}/state`)).json()
    if (state === shown.dataset.state) setTimeout(look, 500)
    else location.reload()
  }
  setTimeout(look, 500)
}
