import type { Plugin } from 'vite'

/** A pharmacy's, or one of its offers'. */
const PAGE = /^\/offers\/[^/?]+(\/(?!che-cosa-contiamo$)[^/?]+)?\/?(\?|$)/

/** The staff's page of that name, which Vite would take for the file of the public ones. */
const STAFF_PAGE = /^\/offers\/?(\?|$)/

/** While the application is developed its public pages are drawn in the browser alone. */
export function publicPagesInDev(): Plugin {
  return {
    name: 'public-pages-in-dev',
    configureServer(server) {
      server.middlewares.use((request, _response, next) => {
        if (PAGE.test(request.url ?? '')) request.url = '/offers.html'
        else if (STAFF_PAGE.test(request.url ?? '')) request.url = '/index.html'
        next()
      })
    },
  }
}
