import { cleanup, configure, getConfig, prettyDOM } from '@testing-library/react'
import { afterEach, beforeEach, vi } from 'vitest'
import { browserStorage, tabStorage } from '../src/lib/browser-storage.ts'
import { cacheComputedStyles } from './computed-styles.ts'
import './older-browser.ts'
import { recordPrinted, takePrinted } from './printed.ts'
import { setViewport } from './viewport.ts'

// The first page of a file loads its chunks: allow for a busy machine.
configure({ asyncUtilTimeout: 8_000, getElementError: withDocument })

/** The error of a failed query. During retries, whose errors are never printed, it leaves the document out. */
function withDocument(message: string | null, container: Element): Error {
  const isTriedAgain = Reflect.get(getConfig(), '_disableExpensiveErrorDiagnostics') === true
  const error = new Error(isTriedAgain ? `${message}` : `${message}\n\n${prettyDOM(container)}`)
  error.name = 'TestingLibraryElementError'
  return error
}

cacheComputedStyles()

// jsdom has no layout.
globalThis.ResizeObserver ??= class {
  observe() {}
  unobserve() {}
  disconnect() {}
}

// jsdom does not implement the newer methods of `Blob`.
Blob.prototype.arrayBuffer ??= function (this: Blob) {
  return new Promise((resolve, reject) => {
    const reader = new FileReader()
    reader.addEventListener('load', () => {
      if (reader.result instanceof ArrayBuffer) resolve(reader.result)
      else reject(new TypeError('No bytes were read'))
    })
    reader.addEventListener('error', () => reject(reader.error ?? new Error('Not read')))
    reader.readAsArrayBuffer(this)
  })
}

Blob.prototype.text ??= async function (this: Blob) {
  return new TextDecoder().decode(await this.arrayBuffer())
}

const methods = ['error', 'warn', 'log', 'info', 'debug'] as const

beforeEach(() => {
  takePrinted()
  for (const method of methods) {
    vi.spyOn(console, method).mockImplementation((...args: unknown[]) => {
      recordPrinted(`console.${method}: ${args.map(String).join(' ')}`)
    })
  }
  setViewport('wide')
  window.scrollTo = () => undefined
  // jsdom has no layout.
  Element.prototype.scrollIntoView = () => undefined
})

afterEach(() => {
  // Ends a burst of keys: the clock of the next test may show the same time.
  window.dispatchEvent(new KeyboardEvent('keydown', { key: 'F13' }))
  cleanup()
  browserStorage.clear()
  tabStorage.clear()
  vi.useRealTimers()
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
  const printed = takePrinted()
  if (printed.length > 0) throw new Error(`Unexpected output:\n${printed.join('\n')}`)
})
