import { onTestFinished, vi } from 'vitest'

type Shown = { title: string; options: NotificationOptions; data: unknown; close: () => void }

/** Base64url of 65 bytes, like a VAPID public key. */
export function publicKey(byte: number): string {
  return btoa(String.fromCharCode(byte).repeat(65))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')
}

/** Fakes a service worker with push and at most one subscription. */
export function fakePush({ running = true } = {}) {
  const container = new EventTarget()
  let current: object | null = null
  const browser = {
    running,
    registered: [] as string[],
    shown: [] as Shown[],
    /** Endpoint of the current subscription. */
    endpoint: null as string | null,
    /** Number of subscriptions created. */
    made: 0,
    /** Number of calls of `subscribe`. */
    asked: 0,
    /** The push service does not answer. */
    silent: false,
    /** The error of `subscribe`; null when it succeeds. */
    refusal: null as Error | null,
    /** The push service drops the subscription. */
    drop() {
      current = null
      browser.endpoint = null
    },
    say: (data: unknown) => container.dispatchEvent(new MessageEvent('message', { data })),
  }
  const pushManager = {
    getSubscription: () => Promise.resolve(current),
    subscribe(options: { userVisibleOnly: boolean; applicationServerKey: Uint8Array }) {
      browser.asked += 1
      if (browser.silent) return new Promise<never>(() => undefined)
      if (browser.refusal) return Promise.reject(browser.refusal)
      if (current) return Promise.reject(new DOMException('One is there', 'InvalidStateError'))
      browser.made += 1
      const endpoint = `https://push.example/${browser.made}`
      browser.endpoint = endpoint
      current = {
        endpoint,
        options: { applicationServerKey: options.applicationServerKey.slice().buffer },
        toJSON: () => ({
          endpoint,
          expirationTime: null,
          keys: { p256dh: 'p'.repeat(87), auth: 'a'.repeat(22) },
        }),
        unsubscribe() {
          current = null
          browser.endpoint = null
          return Promise.resolve(true)
        },
      }
      return Promise.resolve(current)
    },
  }

  const registration = {
    active: {},
    pushManager,
    showNotification(title: string, options: NotificationOptions) {
      browser.shown = browser.shown.filter(({ options: { tag } }) => tag !== options.tag)
      const shown: Shown = {
        title,
        options,
        data: options.data,
        close: () => {
          browser.shown = browser.shown.filter((each) => each !== shown)
        },
      }
      browser.shown.push(shown)
      return Promise.resolve()
    },
    getNotifications: ({ tag }: { tag: string }) =>
      Promise.resolve(browser.shown.filter(({ options }) => options.tag === tag)),
  }

  Object.assign(container, {
    ready: Promise.resolve(registration),
    register(script: string) {
      browser.registered.push(script)
      browser.running = true
      return Promise.resolve(registration)
    },
    getRegistration: () => Promise.resolve(browser.running ? registration : undefined),
  })
  Object.defineProperty(navigator, 'serviceWorker', { value: container, configurable: true })
  onTestFinished(() => {
    Reflect.deleteProperty(navigator, 'serviceWorker')
  })
  vi.stubGlobal('PushManager', pushManager)
  return browser
}
