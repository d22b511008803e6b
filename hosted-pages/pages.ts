import { Hono } from 'hono'
import { answerNotFound, answerPage } from './answer.ts'
import { assetRoutes } from './assets.ts'
import { blikRoutes } from './blik/blik-routes.ts'
import { irisRoutes } from './iris/iris-routes.ts'
import { landing } from './landing.ts'
import type { PagesPort } from './port.ts'
import { speak } from './texts.ts'

/** What a shopper sees: the landing page, the BLIK phone, the IRIS banks. Mount it last: it answers every address. */
export function createPages(port: PagesPort): Hono {
  const say = speak('en')
  const pages = new Hono()
  pages.get('/', async c => answerPage(c, landing(say, await port.organizations(), port)))
  pages.route('/', assetRoutes())
  pages.route('/', blikRoutes(port, say))
  pages.route('/', irisRoutes(port, say))
  pages.all('*', c => answerNotFound(c, say))
  return pages
}
