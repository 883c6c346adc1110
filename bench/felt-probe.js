// @ts-check
// Runs in the measured pages, before any of their own code. All times are milliseconds since the navigation.

/**
 * What is looked for: elements that are visible, with that text or value. Of several, one suffices unless `every`.
 * @typedef {{ selector: string, text?: string, value?: string, every?: boolean, absent?: boolean }} Sign
 */

const felt = (() => {
  const seen = { shift: 0, paint: 0, taskEnd: 0 }

  /** @param {string} type @param {(entry: PerformanceEntry) => void} note */
  function observe(type, note) {
    new PerformanceObserver((list) => list.getEntries().forEach(note)).observe({
      type,
      buffered: true,
    })
  }
  observe('longtask', ({ startTime, duration }) => {
    seen.taskEnd = startTime + duration
  })
  observe('largest-contentful-paint', ({ startTime }) => {
    seen.paint = startTime
  })
  observe('layout-shift', (entry) => {
    if (!('value' in entry) || typeof entry.value !== 'number') return
    if ('hadRecentInput' in entry && !entry.hadRecentInput) seen.shift += entry.value
  })

  /** @param {Sign} sign */
  function isThere({ selector, text, value, every, absent }) {
    const found = [...document.querySelectorAll(selector)].filter(
      (element) => absent || element.getClientRects().length > 0,
    )
    if (absent) return found.length === 0
    /** @param {Element} element */
    const matches = (element) =>
      (text === undefined || (element.textContent ?? '').includes(text)) &&
      (value === undefined || ('value' in element && element.value === value))
    return every ? found.length > 0 && found.every(matches) : found.some(matches)
  }

  const GIVEN_MS = 30_000

  /** Resolves after the frame that shows it was painted. @param {Sign} sign @returns {Promise<number>} */
  function shown(sign) {
    const begun = performance.now()
    return new Promise((resolve, reject) => {
      const { port1, port2 } = new MessageChannel()
      port1.addEventListener('message', () => resolve(performance.now()))
      port1.start()
      const look = () => {
        if (isThere(sign)) port2.postMessage(null)
        else if (performance.now() - begun > GIVEN_MS)
          reject(new Error(`Not shown: ${sign.selector}`))
        else requestAnimationFrame(look)
      }
      requestAnimationFrame(look)
    })
  }

  const resources = () =>
    performance
      .getEntriesByType('resource')
      .filter((entry) => entry instanceof PerformanceResourceTiming)

  /** The next event of that type. @param {string} type @returns {Promise<Event>} */
  function next(type) {
    return new Promise((resolve, reject) => {
      addEventListener(type, resolve, { capture: true, once: true })
      setTimeout(() => reject(new Error(`No ${type}`)), GIVEN_MS)
    })
  }

  // What the page is opened for. It is named before, because the page may show it at once.
  const first = shown({ selector: sessionStorage.getItem('felt') ?? '[data-order]' })
  // Of pages without it it is not asked.
  first.catch(() => undefined)

  /** What was asked for before a moment, with the document. @param {number} until */
  function loaded(until) {
    const asked = resources().filter(({ startTime }) => startTime <= until)
    const bytes = asked.reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0)
    const scripts = asked.filter(({ name }) => /\.js(?:$|\?)/.test(name))
    return { requests: asked.length + 1, scripts: scripts.length, kB: bytes / 1024 }
  }

  /**
   * From the next event of that type to each sign, and to the first request whose address contains a text.
   * @param {string} type @param {Sign[]} signs @param {string} [request]
   */
  async function after(type, signs, request) {
    const event = await next(type)
    const times = await Promise.all(signs.map(shown))
    const sent = resources().find(
      ({ name, startTime }) =>
        request !== undefined && name.includes(request) && startTime >= event.timeStamp,
    )
    return {
      signs: times.map((time) => time - event.timeStamp),
      request: sent ? sent.startTime - event.timeStamp : null,
    }
  }

  /** From the press of a link to the end of all that its click has called. @param {string} selector */
  async function answer(selector) {
    const answered = new Promise((/** @type {(at: number) => void} */ resolve) =>
      addEventListener('click', ({ target }) => {
        const isMeant = target instanceof Element && target.closest(selector)
        if (isMeant) resolve(performance.now())
      }),
    )
    const { timeStamp } = await next('pointerdown')
    return (await answered) - timeStamp
  }

  /** @type {Promise<unknown> | undefined} */
  let watched

  return {
    first: () => first,
    loaded,
    seen: () => seen,
    /** The last moment at which something was loaded, or the processor was busy for long. */
    lastActivity: () =>
      Math.max(seen.taskEnd, ...resources().map(({ responseEnd }) => responseEnd)),
    now: () => performance.now(),
    /** Begins to wait for an event. @param {Parameters<typeof after>} asked */
    watch(...asked) {
      watched = after(...asked)
      // It is told to the one that asks for the result.
      watched.catch(() => undefined)
    },
    watched: () => watched,
    /** Begins to wait for the press of such a link. @param {string} selector */
    watchClick(selector) {
      watched = answer(selector)
      watched.catch(() => undefined)
    },
  }
})()

Object.assign(globalThis, { felt })
