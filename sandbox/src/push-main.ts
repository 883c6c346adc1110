import { startPushService } from './push-service.ts'

/** The push service as a program of its own, on a port that is free. Prints one line of JSON. */
const { url } = await startPushService()
process.stdout.write(`${JSON.stringify({ url })}\n`)
