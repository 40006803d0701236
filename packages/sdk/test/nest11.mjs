// Loads Nest 11 for the integration test. The test's own folder contains Nest 12, and a folder can contain only one version.
export * as nest from '@nestjs/common';
export { NestFactory } from '@nestjs/core';
export { ExpressAdapter } from '@nestjs/platform-express';
export { FastifyAdapter } from '@nestjs/platform-fastify';
