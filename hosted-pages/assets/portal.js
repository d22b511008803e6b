// Script of the portal: scrolls to the current navigation item, marks a copied text. Everything works without it.

const COPIED_MS = 1500

document.querySelector('.rail [aria-current]')?.scrollIntoView({ block: 'nearest', inline: 'center' })

// The copying itself is of pages.js, which every page has: here it is only shown for a moment.
document.addEventListener('click', event => {
  const button = event.target.closest('.copy')
  if (!button) return
  button.classList.add('copied')
  setTimeout(() => button.classList.remove('copied'), COPIED_MS)
})
