import { cleanup, render } from '@testing-library/react'
import { onTestFinished } from 'vitest'
import { Toaster, toasterReady } from '../src/ui/toaster.tsx'

/**
 * At the end of the test, drops the toasts that still wait for a toaster, such as those that a page sends when it is
 * unmounted. The toaster of the next test would show them.
 */
export function dropPendingToasts() {
  onTestFinished(async () => {
    render(<Toaster />)
    await toasterReady()
    await new Promise((resolve) => setTimeout(resolve))
    cleanup()
  })
}
