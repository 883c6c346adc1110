// A timer for pages: browsers slow down the timers of hidden pages, but not those of workers.
//
// Takes the interval in milliseconds as its only message, and posts null each time it has passed.

self.addEventListener('message', ({ data: interval }) => {
  setInterval(() => self.postMessage(null), interval)
})
