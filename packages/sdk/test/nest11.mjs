// Nest 11, for the integration test: its folder has Nest 12, and one folder has room for one version.
export * as nest from '@nestjs/common';
export { NestFactory } from '@nestjs/core';
export { ExpressAdapter } from '@nestjs/platform-express';
export { FastifyAdapter } from '@nestjs/platform-fastify';
