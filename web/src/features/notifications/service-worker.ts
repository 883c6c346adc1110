/** Messages of the service worker to the pages. */
type WorkerMessage =
  | 'NEW_ORDERS'
  | 'SHOW_ORDERS'
  | 'NEW_ARRIVALS'
  | 'SHOW_ARRIVALS'
  | 'SUBSCRIPTION_CHANGED'

/** The service worker, registered if needed; null where it is not supported. */
export async function startServiceWorker(): Promise<ServiceWorkerRegistration | null> {
  if (!('serviceWorker' in navigator)) return null
  await navigator.serviceWorker.register('/sw.js', { scope: '/', updateViaCache: 'none' })
  return navigator.serviceWorker.ready
}

/** The service worker, if it is registered. */
export async function runningServiceWorker(): Promise<ServiceWorkerRegistration | null> {
  if (!('serviceWorker' in navigator)) return null
  const registration = await navigator.serviceWorker.getRegistration('/')
  return registration?.active ? registration : null
}

export function onWorkerMessage(type: WorkerMessage, listener: () => void): () => void {
  if (!('serviceWorker' in navigator)) return () => undefined
  const { serviceWorker } = navigator
  const hear = ({ data }: MessageEvent<unknown>) => {
    if (typeof data === 'object' && data !== null && 'type' in data && data.type === type)
      listener()
  }
  serviceWorker.addEventListener('message', hear)
  return () => serviceWorker.removeEventListener('message', hear)
}
