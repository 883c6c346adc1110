// Looks for new orders while the dashboard is open, also in a tab that nobody looks at.
//
// Messages it takes:
//   { apiUrl, pharmacyId, token, interval }  begin; the interval in milliseconds. The page has just read
//                                            the orders, so the first look is one interval later. Once
//                                            more: that pharmacy takes the place of the former.
//   { type: 'token', token }                 the bearer from now on
//   { type: 'stop' }                         stop; a new beginning may follow
//
// Messages it posts:
//   { type: 'ORDERS_FETCHED', data, pharmacyId }      the first page of orders as the server gave it
//   { type: 'TOKEN_NEEDED', pharmacyId }              the token was refused: it waits for another, and
//                                                     asks again after every interval
//   { type: 'FETCH_FAILED', status, pharmacyId }      status 0: no answer, none in time, or no JSON

const TIME_LIMIT_MS = 15_000

/** The watch that is on. What an earlier one still has on its way is for nobody. */
let watch = null

self.addEventListener('message', ({ data }) => {
  if (data.type === 'stop') stop()
  else if (data.type === 'token') takeToken(data.token)
  else start(data)
})

function start({ apiUrl, pharmacyId, token, interval }) {
  stop()
  const begun = { apiUrl, pharmacyId, token, refused: false, reading: null, timer: 0 }
  begun.timer = setInterval(() => look(begun), interval)
  watch = begun
}

function stop() {
  if (!watch) return
  clearInterval(watch.timer)
  watch.reading?.abort()
  watch = null
}

function takeToken(token) {
  if (!watch || watch.token === token) return
  watch.token = token
  const { refused } = watch
  watch.refused = false
  // It was its turn already.
  if (refused) void look(watch)
}

async function look(asking) {
  // One request at a time: a slow server is not helped by a second question.
  if (asking.reading) return
  if (asking.refused) return tell(asking, { type: 'TOKEN_NEEDED' })
  const { token } = asking
  asking.reading = new AbortController()
  const message = await ask(asking, asking.reading)
  asking.reading = null
  if (message.type !== 'TOKEN_NEEDED') return tell(asking, message)
  // A newer token came while this one was being refused.
  if (asking.token !== token) return look(asking)
  asking.refused = true
  tell(asking, message)
}

async function ask({ apiUrl, token }, reading) {
  const limit = setTimeout(() => reading.abort(), TIME_LIMIT_MS)
  try {
    const response = await fetch(`${apiUrl}?page=1&pageSize=20`, {
      headers: { accept: 'application/json', authorization: `Bearer ${token}` },
      signal: reading.signal,
    })
    if (response.status === 401) return { type: 'TOKEN_NEEDED' }
    if (!response.ok) return { type: 'FETCH_FAILED', status: response.status }
    return { type: 'ORDERS_FETCHED', data: await response.json() }
  } catch {
    return { type: 'FETCH_FAILED', status: 0 }
  } finally {
    clearTimeout(limit)
  }
}

function tell(asking, message) {
  if (asking === watch) self.postMessage({ ...message, pharmacyId: asking.pharmacyId })
}
