/** What the document has asked for before the application was there (`early.ts`). */
export type EarlyAnswers = {
  authorization: string
  /** By address. */
  answers: Map<string, Promise<Response>>
  /** Resolves when the orders are there, or have failed. */
  ordersSettled: Promise<unknown> | undefined
}

declare global {
  interface Window {
    earlyAnswers?: EarlyAnswers
  }
}

export function areEarlyAnswersComing(): boolean {
  return window.earlyAnswers !== undefined
}

/** The answer to a request that the document has made already, once; undefined when it has to be made. */
export function takeEarlyAnswer(url: string, init: RequestInit): Promise<Response> | undefined {
  const early = window.earlyAnswers
  // Another session has signed in meanwhile, or the token was refreshed.
  if (new Headers(init.headers).get('authorization') !== early?.authorization) return undefined
  const answer = early?.answers.get(url)
  early?.answers.delete(url)
  return answer
}
