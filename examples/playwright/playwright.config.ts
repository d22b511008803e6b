import { defineConfig } from 'playwright/test'

const { ASSAY_URL, CHROMIUM_PATH } = process.env

export default defineConfig({
  fullyParallel: true,
  reporter: [['list'], ['html', { open: 'never' }]],
  use: CHROMIUM_PATH ? { launchOptions: { executablePath: CHROMIUM_PATH } } : {},
  // The sandbox, unless ASSAY_URL names one.
  ...(ASSAY_URL
    ? {}
    : {
        webServer: {
          command: 'node ../../bin/assay.js serve --data-dir .assay-tests --api-port 0 --pages-port 0',
          wait: { stdout: /Pages +(?<assay_url>\S+)/ }, // sets ASSAY_URL for the tests
          gracefulShutdown: { signal: 'SIGTERM', timeout: 5_000 },
        },
      }),
})
