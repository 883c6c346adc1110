import { type ErrorCode, errorStatus, errorText } from '@bancone/contract/errors'
import { act } from '@testing-library/react'
import { vi } from 'vitest'

/** An XMLHttpRequest whose server side is played by the test. */
class FakeUpload extends EventTarget {
  static opened: FakeUpload[] = []
  readonly upload = new EventTarget()
  readonly headers = new Headers()
  method = ''
  path = ''
  file: Blob | null = null
  aborted = false
  status = 0
  responseText = ''

  constructor() {
    super()
    FakeUpload.opened.push(this)
  }

  open(method: string, path: string) {
    this.method = method
    this.path = path
  }

  setRequestHeader(name: string, value: string) {
    this.headers.set(name, value)
  }

  send(file: Blob) {
    this.file = file
  }

  abort() {
    this.aborted = true
    this.#end('abort')
  }

  /** That share of the file has been sent. */
  sends(share: number) {
    const total = this.file?.size ?? 0
    const progress = { lengthComputable: true, loaded: Math.floor(total * share), total }
    act(() => void this.upload.dispatchEvent(new ProgressEvent('progress', progress)))
  }

  /** The whole file has been sent. */
  async hasSent() {
    this.sends(1)
    await act(async () => void this.upload.dispatchEvent(new ProgressEvent('load')))
  }

  async answers(status: number, body: string) {
    this.status = status
    this.responseText = body
    await act(async () => this.#end('load'))
  }

  async refuses(code: ErrorCode, error: string = errorText(code)) {
    const body = { error, code, requestId: 'test' }
    await this.answers(errorStatus(code), JSON.stringify(body))
  }

  /** The connection breaks. */
  async breaks() {
    await act(async () => this.#end('error'))
  }

  #end(how: 'load' | 'error' | 'abort') {
    this.dispatchEvent(new ProgressEvent(how))
    this.dispatchEvent(new ProgressEvent('loadend'))
  }
}

/** Fakes XMLHttpRequest. */
export function fakeUploads() {
  FakeUpload.opened = []
  vi.stubGlobal('XMLHttpRequest', FakeUpload)
  return {
    opened: FakeUpload.opened,
    /** The n-th request, once it has been sent. */
    nth: (n: number) =>
      vi.waitFor(() => {
        const found = FakeUpload.opened[n - 1]
        if (!found?.file) throw new Error(`There is no upload ${n}`)
        return found
      }),
  }
}
