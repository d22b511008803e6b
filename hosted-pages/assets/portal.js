// What the portal does more than its forms and links. Without this script everything still works.

const COPIED_MS = 1500

document.querySelector('.rail [aria-current]')?.scrollIntoView({ block: 'nearest', inline: 'center' })

// The copying itself is of pages.js, which every page has: here it is only shown for a moment.
document.addEventListener('click', event => {
  const button = event.target.closest('.copy')
  if (!button) return
  button.classList.add('copied')
  setTimeout(() => button.classList.remove('copied'), COPIED_MS)
})
