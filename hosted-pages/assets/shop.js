// Script of the demo shop: shows a BLIK code as three and three, and sends a form once in a moment. The pages work without it.

document.addEventListener('input', ({ target, inputType }) => {
  if (!target.matches?.('[data-blik]')) return
  const digits = target.value.replace(/\D/g, '').slice(0, 6)
  const before = target.value.slice(0, target.selectionStart).replace(/\D/g, '').length
  target.value = digits.length > 3 ? `${digits.slice(0, 3)} ${digits.slice(3)}` : digits
  const inFirst = inputType === 'deleteContentForward' ? 2 : 3 // Delete passes the space, which comes back
  const caret = before > inFirst ? before + 1 : before
  target.setSelectionRange(caret, caret)
})

const SENT_MS = 5000

/** Marks a form as sent, or as one that may be sent. */
function mark(form, isSent) {
  form.dataset.sent = isSent ? 'yes' : ''
  for (const button of form.querySelectorAll('button')) button.disabled = isSent
}

document.addEventListener('submit', event => {
  const form = event.target
  if (!form.matches('[data-once]')) return
  if (form.dataset.sent) return event.preventDefault()
  mark(form, true)
  setTimeout(mark, SENT_MS, form, false) // the page is still there: the browser was told to stop
})

// A page that comes back from the browser's memory may be used again: its order is paid once all the same.
addEventListener('pageshow', ({ persisted }) => {
  if (persisted) location.reload()
})
