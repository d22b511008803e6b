import { defineConfig } from 'playwright/test'

const { ASSAY_URL, CHROMIUM_PATH } = process.env

export default defineConfig({
  fullyParallel: true,
  reporter: [['list'], ['html', { open: 'never' }]],
  use: CHROMIUM_PATH ? { launchOptions: { executablePath: CHROMIUM_PATH } } : {},
  // The sandbox, unless one is running already.
  ...(ASSAY_URL
    ? {}
    : {
        webServer: {
          command: 'node ../../bin/assay.js serve',
          url: 'http://localhost:8080/health',
          reuseExistingServer: true,
          gracefulShutdown: { signal: 'SIGTERM', timeout: 5_000 },
        },
      }),
})
