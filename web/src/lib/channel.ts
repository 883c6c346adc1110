/** Events of a realtime channel. */
export type ChannelEvents = {
  /** The channel is subscribed, for the first time or again. Broadcasts sent before that were missed. */
  subscribed: () => void
  disconnected: () => void
  /** The server rejected the subscription of this user. */
  denied: () => void
  /** The server closed the topic: the session may have ended, or the pharmacy may be inactive. */
  closed: () => void
  broadcast: (event: string, payload: unknown) => void
}

/** A subscription to a topic that reconnects by itself. The methods make it reconnect sooner. */
export type Channel = {
  /** Reconnects now if the connection is lost. */
  ensureConnected: () => void
  /** Replaces the connection: after a change of the network the old one may be dead without an error. */
  reconnect: () => void
  close: () => void
}

export type OpenChannel = (topic: string, events: ChannelEvents) => Channel
