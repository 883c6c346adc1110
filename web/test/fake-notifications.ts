import { vi } from 'vitest'

type Raised = { title: string; options: NotificationOptions; closed: boolean; click: () => void }

/** Fakes the Notification API: raised notifications, and the permission. */
export function fakeNotifications(permission: NotificationPermission) {
  const browser = {
    permission,
    /** The user's answer to the permission request. */
    answer: 'granted' as NotificationPermission,
    asked: 0,
    raised: [] as Raised[],
  }

  class FakeNotification extends EventTarget {
    #entry: Raised

    constructor(title: string, options: NotificationOptions = {}) {
      super()
      const click = () => this.dispatchEvent(new Event('click'))
      this.#entry = { title, options, closed: false, click }
      browser.raised.push(this.#entry)
    }

    static get permission() {
      return browser.permission
    }

    static requestPermission() {
      browser.asked += 1
      browser.permission = browser.answer
      return Promise.resolve(browser.permission)
    }

    close() {
      this.#entry.closed = true
    }
  }

  vi.stubGlobal('Notification', FakeNotification)
  return browser
}

/** Hides or shows the page. */
export function lookAway(away: boolean) {
  vi.spyOn(document, 'hidden', 'get').mockReturnValue(away)
  vi.spyOn(document, 'visibilityState', 'get').mockReturnValue(away ? 'hidden' : 'visible')
}
